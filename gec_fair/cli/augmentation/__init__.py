"""Commands that rewrite: `augment`, `rewrite`, `mix`, `explain`."""
