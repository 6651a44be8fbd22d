"""Re-derives the labels of the published questions from the metadata of their own rows.

``relabel(question)`` gives a ``Verdict``; ``RELABELLED`` names the subcategories that have a rule,
``REASONS`` says in words what each reason means. There is one module per category and one rule,
a function ``OfficialQuestion -> Verdict`` under the decorator ``rule``, per subcategory; modules
are found by their place in this folder.

What a rule reads are poses, boxes, paths, models and other measured values. What it never reads
is a field that repeats the answer or a step towards it (answers, labels, flags, names of layouts,
computed orders, the order of the entries).

The verdict:

``agrees``       what is recorded bears the label out
``contradicts``  it cannot be so, by a clear margin
``undecidable``  what is recorded does not decide, or the question has no answer

and the rest of it, which other modules may rely on:

- ``label`` and ``derived`` are the published answer and ours, both in the words of the options;
  ``derived`` is empty where there is none. ``reason`` is a stable code.
- ``level`` is ``geometry`` where poses, boxes, paths or counts of placed things decide,
  ``recorded`` where only a recorded outcome does (a measured visibility, a simulated end state),
  ``none`` where nothing does; ``REASONS`` and ``detail`` then say why.
- ``numbers`` are the deciding values, in metres and degrees unless the name says otherwise, rounded
  to 1e-6: with them the verdict can be worked out by hand.
- ``margin`` is how far the deciding value is from the threshold, in ``unit``, never negative;
  ``threshold`` says in words what was compared with what. ``margin`` is ``None`` where nothing
  was measured.
- ``others`` holds further sensible thresholds, in words, and what each would derive; ``robust``
  says that there is an answer and that none of them changes it.
- ``near_tie`` says that something not recorded (an object's extent, the shape of the picture) or
  a small error of what is recorded could change the verdict. A contradiction may be trusted for
  a repair if its level is ``geometry``, it is ``robust`` and no near tie.
- ``reproduced`` counts the stored numbers (distances, gaps, hit points) that were computed again,
  ``differences`` lists those that came out otherwise. They are findings about the record and do
  not decide.
- ``shapes`` are what to draw in a plan of the row. ``record()`` gives all but these as JSON.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from esi_fast.dataset.relabel._mirror_rows import (
    MirrorRow,
    PlacedObject,
    Sight,
    direct,
    mirror_row,
    reflected,
)
from esi_fast.dataset.relabel._reading import model_box
from esi_fast.dataset.relabel._registry import REASONS, relabel, relabelled
from esi_fast.dataset.relabel._verdict import Difference, Judgement, Level, Shape, Verdict

__all__ = [
    "REASONS",
    "RELABELLED",
    "Difference",
    "Judgement",
    "Level",
    "MirrorRow",
    "PlacedObject",
    "Shape",
    "Sight",
    "Verdict",
    "direct",
    "mirror_row",
    "model_box",
    "reflected",
    "relabel",
]

for _module in iter_modules(__path__):
    if not _module.name.startswith("_"):
        import_module(f"{__name__}.{_module.name}")

RELABELLED: Final = relabelled()
