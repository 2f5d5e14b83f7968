"""Commands for correction systems: `gector`, `bart`, `editscorer`, `correct`, `experiment`, `noise`."""
