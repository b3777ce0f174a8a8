"""The recipe of the attacker with two encoders; see ``reidentify/attack/encoder.py``.

members ─ examples ─ masks ─ phases (of network) ─▶ export ─▶ the folder that is shipped
"""
