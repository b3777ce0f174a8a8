"""K-anonymous masking: a small mask that hides the person from attackers, and true replacements for masks.

units (words masked together) ─ objective (one an attacker) ─ search.greedy ─▶ masks units (single
words) ─ objective (of one attacker) ─ algorithm_1 ─▶ masks, as in Morris et al. (2022) masks,
offers (options of an entity) ─ search.show ─▶ what stays masked, what is written ─▶ text
"""
