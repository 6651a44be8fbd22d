"""Evaluation: environment, paradigms, agents, scores, reports."""
