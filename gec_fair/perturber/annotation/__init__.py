"""PANDA's annotation and its checks as tasks of the review page (Qian et al. 2022, appendices B, D, E and J).

texts ─ select ─▶ words ─ attributes ─▶ words with attributes ─ rewrite ─▶ PANDA's rows ─ audit, labels ─▶ their faults
"""
