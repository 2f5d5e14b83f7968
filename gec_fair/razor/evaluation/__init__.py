"""Training before and after a rewriting: evaluation, attribution, counts of terms."""
