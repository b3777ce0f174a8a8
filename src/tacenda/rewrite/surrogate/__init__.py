"""The *surrogate* operator: a made-up value of the same kind.

operator       the operator, which dispatches to the modules
certainty      names of people, ID numbers, people's dates that are certain; the rest gets a tag
drawing        keyed choices, words forbidden in surrogates, names of months
cultures       name lists by culture and gender
people         names of people
places         towns, street addresses, postcodes
organisations  universities, companies, courts, clinics, schools
dates          dates in their formats, and how far they move
numbers        codes of the same shape, ID and phone numbers, email and web addresses
"""
