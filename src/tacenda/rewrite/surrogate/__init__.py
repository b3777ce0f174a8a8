"""*Surrogate*: a made-up value of the same kind, by module.

operator  the operator: its dispatch to the modules, and the forbidden values
drawing   keyed choices, lists of names by culture, words forbidden in surrogates
people    names of people; certain names and identity numbers: all else takes the tag
places    street addresses, postcodes, towns
dates     dates in their formats, and their moves
numbers   codes of the same shape, identity and telephone numbers, e-mail and web addresses
"""

from .operator import Surrogate

__all__ = ["Surrogate"]
