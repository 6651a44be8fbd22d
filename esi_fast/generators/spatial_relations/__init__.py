"""Tasks of the category ``spatial_relations``."""
