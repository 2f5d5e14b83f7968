"""Rewriting: candidates, their verification, the loop over passes, the folder of a run."""
