"""*Surrogate*: a made-up value of the same kind, by module.

operator       the operator: its dispatch to the modules
certainty      certain names of people, identity numbers, dates of persons; all else takes the tag
drawing        keyed choices, words forbidden in surrogates, names of months
cultures       lists of names by culture and gender
people         names of people
places         towns, street addresses, postcodes
organisations  universities, companies, courts, clinics, schools
dates          dates in their formats, and their moves
numbers        codes of the same shape, identity and telephone numbers, e-mail and web addresses
"""
