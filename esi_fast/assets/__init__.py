"""Categories and models, the procedural families that make them, and houses."""
