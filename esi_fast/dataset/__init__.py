"""Stored instances, the published release, and labels from recorded geometry."""
