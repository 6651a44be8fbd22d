"""Procedural families: one function per family draws any model of its categories."""
