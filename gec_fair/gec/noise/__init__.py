"""Learner errors made from clean sentences, at documented rates: training pairs for a corrector.

    rates = read_rates(Path("training/from-scratch/noise.toml"))
    add_errors("She goes to school every day .".split(), rates, Random(0)) → She go to school everyday .

The correct text is the target, what comes back the source. Rates are estimated from Write & Improve by
`training/from-scratch/noise_rates.py`; pronouns and gendered nouns are never touched, and a test audits that.
"""

from gec_fair.gec.noise.draw import add_errors, draw_mistakes
from gec_fair.gec.noise.rates import Kind, Rate, Rates, parse_rates, read_rates

__all__ = ["Kind", "Rate", "Rates", "add_errors", "draw_mistakes", "parse_rates", "read_rates"]
