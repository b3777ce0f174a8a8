"""Assess the risk of entities with indicators.

| indicator | finding | source |
|---|---|---|
| ``RecognizerIndicator`` | the highest calibrated masking probability of the entity's mentions | ``explicit_risk_measures``, 3.2 (sequence labelling, partial match) |
| ``IdentityNumbers`` | a contact or identity number identifies by itself | TAB, 3.2 (direct identifiers) |
| ``Target`` | the names of the person to protect are direct identifiers | TAB, 3.1 |
| ``search/`` | a search for the entity, alone or with others, leads to the person; used only on request | ``explicit_risk_measures``, 3.2.2 |

An indicator takes a document and its entities and returns a finding, or None, for each entity.
Other packages, such as ``tacenda-lab``, add more indicators. An entity's risk is the largest of its
findings: indicators of one entity are far from independent, and the largest errs on the safe side.
If a finding is certain, the entity is masked regardless of its risk.
"""
