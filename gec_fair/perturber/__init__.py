"""Rewrite demographic references (Qian et al. 2022): gender, race and ethnicity, age, in any text.

    text ── perturbable words (`words`) ── one drawn with a target (`sampling`, Algorithm 1) ── rewritten ── text′
                                                                              rules   a plan over the word's chain
                                                                              neural  a seq2seq model

A perturber maps `PromptRequest` (segments, a word, an attribute) to segments. Any rewriting is
read as edits.
"""
