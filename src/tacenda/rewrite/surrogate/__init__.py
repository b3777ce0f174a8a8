"""*Surrogate*: a made-up value of the same kind; which module makes which.

operator   the operator: what is made by whom, and what is never written
draw       keyed choices
taken      what stands in the document and may not be written
people     names of people; ``cultures`` says of which culture a name is
certainty  what is surely a name or an identity number; all else takes the tag
places     street addresses, postcodes, towns
dates      dates as they are written; ``months`` has their names
moving     where they move to
shapes     codes of the same shape, with right check digits and out of real ranges
identity   identity numbers of ranges that are never given out
phones     telephone numbers kept for fiction
contacts   e-mail and web addresses in example domains
"""

from .operator import Surrogate

__all__ = ["Surrogate"]
