"""Risk: entities to assessments, by indicators.

| indicator | finding | source |
|---|---|---|
| ``RecognizerIndicator`` | the highest calibrated masking probability of the entity's mentions | ``explicit_risk_measures``, 3.2 (sequence labelling, partial match) |
| ``IdentityNumbers`` | a contact or identity number identifies by itself | TAB, 3.2 (direct identifiers) |
| ``Target`` | the names of the person to protect are direct identifiers | TAB, 3.1 |
| ``search/`` | a search for it, alone or with others, leads to the person; used only on request | ``explicit_risk_measures``, 3.2.2 |

An indicator takes a document with its entities and returns a finding or None for each; other
packages, such as ``tacenda-lab``, add further ones. The entity's risk is the largest of its
findings: indicators of the same mention are anything but independent, and the largest errs on the
safe side. A finding may be certain: the entity is then masked regardless of its risk.
"""
