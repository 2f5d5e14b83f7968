"""Commands that measure fairness: `fairscore`, `fairtune`, `lmbias`, `perturb`, `perturber`."""
