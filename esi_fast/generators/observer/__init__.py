"""The ideal observer: what a perfect reasoner could still believe after a history."""
