"""K-anonymous masking: a small mask to hide the person from attackers, and what is true in place of masks.

units (words masked together) ─ objective (one an attacker) ─ search.greedy ─▶ masks
units (single words) ─ objective (of one attacker) ─ algorithm_1 ─▶ masks, as Morris et al. (2022) have them
masks, offers (options of an entity) ─ search.show ─▶ what stays masked, what is written ─▶ text
"""
