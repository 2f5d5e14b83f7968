"""Language models of children's amounts of text (BabyLM): how bias is learned, and removed (Trhlik et al. 2026)."""
