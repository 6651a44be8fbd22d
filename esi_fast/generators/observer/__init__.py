"""The ideal observer: what a perfect reasoner could still believe after a history.

The pieces are shared by all tasks and work on serialised frames alone: ``outlines`` reads masks
and says which edges are free, ``localise`` (L) encloses where an object can be, ``reflect`` (R)
tells an object from its mirror image.
"""
