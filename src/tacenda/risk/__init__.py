"""Risk: entities to assessments, one indicator a file.

| indicator | what it says | source |
|---|---|---|
| ``masking_head.py`` | the highest calibrated masking probability of the entity's mentions | ``explicit_risk_measures``, 3.2 (sequence labelling, partial match) |
| ``identity_numbers.py`` | a contact or identity number identifies by itself | TAB, 3.2 (direct identifiers) |
| ``target.py`` | the names of the person to protect are direct identifiers | TAB, 3.1 |
| ``language/`` | how surprising it is to a language model, alone or with others; how far it helps to guess the direct identifiers; asked only where the policy names it | ``explicit_risk_measures``, 3.2.1; ``privacy_risk_indicators``, 5.1 and 5.3 |
| ``search/`` | a search for it, alone or with others, leads to the person; asked only where it is given | ``explicit_risk_measures``, 3.2.2 |

An indicator takes a document with its entities and returns a finding for each, or None where it
has nothing to say. The entity's risk is the largest of its findings: indicators that look at the
same mention are anything but independent, and the largest errs on the safe side.
"""

from __future__ import annotations

from .assess import assess, risk_summary
from .indicators import Finding, Indicator

__all__ = ["Finding", "Indicator", "assess", "risk_summary"]
