"""Tasks of the category ``specular_reflection``."""
