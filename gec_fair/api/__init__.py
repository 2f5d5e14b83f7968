"""The Python API: what `import gec_fair` offers, one function for each thing that a command does."""
