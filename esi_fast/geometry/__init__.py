"""Geometry kernels on Embree: NumPy in and out, usable alone from any simulator."""
