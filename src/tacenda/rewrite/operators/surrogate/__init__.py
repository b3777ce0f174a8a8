"""*Surrogate*: a made-up value of the same kind; which module makes which.

operator   the operator: what is made by whom, and what is never written
draw       keyed choices
taken      what stands in the document and may not be written
people     names of people; ``cultures`` says of which culture a name is
named      places, organisations, demonyms, occupations, other names
dates      dates moved by one number of days a document; ``months`` has their names
numbers    quantities and ages moved a little
shapes     codes of the same shape, with right check digits and out of real ranges
phones     telephone numbers kept for fiction
contacts   e-mail and web addresses in example domains
"""

from .operator import Surrogate

__all__ = ["Surrogate"]
