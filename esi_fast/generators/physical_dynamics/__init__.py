"""Tasks of the category ``physical_dynamics``."""
