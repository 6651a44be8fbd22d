"""Generators of the subcategories: one file each under ``<category>/<subcategory>.py``."""
