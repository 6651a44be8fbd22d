"""Simulators behind one contract (``base.py``) and the episode core."""
