"""Surface forms: the strings that name a referent, and the search for them in a text.

Shared by linking, propagation and verification, so all three agree on equality of strings.

    shipped        words and rules that ship as text
    decoding       bytes to characters
    folding        normalised text with its alignment
    tokens         words in every script, and the gaps between them
    word_lists     closed lists: titles, generic words, names that are English words
    names          the parts of a person's name; spellings of one sound
    given_names    short forms of given names, and the gender of their bearers
    target         the name of the person to protect, in its spellings
    surface_forms  strings of a mention to search for, and their case; acronyms
    matching       all forms in one pass over a folded text, as words and inside words
    readings       a text with its encodings undone and its words joined
    dates          dates among words, in every usual format and precision
    numerals       whole numbers as words, and back
    place_codes    codes of countries and states, with names and abbreviations
    passages       stretches of a text, the widest extent of a mention
    information    information content of words
"""
