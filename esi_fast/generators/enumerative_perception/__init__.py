"""Tasks of the category ``enumerative_perception``."""
