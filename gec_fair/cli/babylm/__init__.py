"""Commands for language models: `babylm`, `corpus`, `pretrain`."""
