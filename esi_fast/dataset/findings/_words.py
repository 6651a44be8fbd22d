"""Compares the names of things as people write them."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["mention", "plain", "same_name", "words"]

_EMPTY: Final = frozenset({"of", "the", "a", "an", "and", "for", "with"})
# Containers of one category are told apart by these in the text alone.
_SIZES: Final = frozenset({"large", "medium", "small"})


def plain(text: str) -> str:
    """For comparing texts: case, underscores and runs of spaces do not matter."""
    return " ".join(text.replace("_", " ").split()).casefold()


def mention(name: str, text: str) -> int | None:
    """Where a text first says ``name`` as whole words; ``None`` where it does not."""
    found = re.search(rf"(?<!\w){re.escape(plain(name))}(?!\w)", plain(text))
    return None if found is None else found.start()


def words(name: str) -> frozenset[str]:
    """The words of a name that count: no articles, no plurals, in no order."""
    found = plain(name).replace("-", " ").split()
    plural = [len(word) > 3 and word.endswith("s") and not word.endswith("ss") for word in found]
    single = [word[:-1] if more else word for word, more in zip(found, plural, strict=True)]
    return frozenset(single) - _EMPTY


def same_name(asked: str, category: str) -> bool:
    """Whether a text that says ``asked`` may mean a thing of that category."""
    left, right = words(asked), words(category)
    if left == right:
        return True
    bare = left - _SIZES
    # "The medium container" may be anything that holds something.
    return bare != left and bare in (right, frozenset({"container"}))
