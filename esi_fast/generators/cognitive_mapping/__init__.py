"""Rooms and the ways between them: what is joined, what is passed, what lies where."""
