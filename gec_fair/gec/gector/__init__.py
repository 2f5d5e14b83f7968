"""GECToR (Omelianchuk et al. 2020): correct by tagging each word with what becomes of it, again and again."""
