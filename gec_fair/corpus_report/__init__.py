"""What a corpus is like, as far as it may teach bias (BabyLM bias dynamics, §4.1 and appendix C).

    texts ─ sentences ─ chunks of 8,192 tokens ─ a Profile each ─ sums and means over chunks ─ tables

Shares of topics and emotions are of all tokens; readability, type–token ratio and coherence are means over chunks, for
they depend on the length of what is measured. What a classifier says (toxicity, hate, sentiment) is asked of a sample
of the sentences.
"""
