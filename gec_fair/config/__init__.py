"""Settings from YAML and the command line, checked against dataclasses."""
