"""*Surrogate*: a made-up value of the same kind, by module.

operator   the operator: its dispatch to the modules, and the forbidden values
draw       keyed choices
taken      words of the document, forbidden in surrogates
people     names of people; ``cultures`` has the culture of a name
certainty  certain names and identity numbers; all else takes the tag
places     street addresses, postcodes, towns
dates      dates as they are written; ``months`` has their names
moving     their target dates
shapes     codes of the same shape, with right check digits and out of real ranges
identity   identity numbers of ranges never given out
phones     telephone numbers kept for fiction
contacts   e-mail and web addresses in example domains
"""

from .operator import Surrogate

__all__ = ["Surrogate"]
