"""Surface forms: the strings that name a referent, and the search for them in a text.

Shared by linking, propagation and verification, so all three agree on equality of strings.

    decoding       bytes to characters
    normal_form    the three forms in which strings are compared
    folding        folded text with its alignment
    offsets        offsets of the original, from those of the output
    tokens         words in every script, and the gaps between them
    word_lists     closed lists: titles, generic words, names that are English words
    names          the parts of a person's name; spellings of one sound
    given_names    short forms of given names, and the gender of their bearers
    target_names   the name of the person to protect, in its spellings
    surface_forms  strings of a mention to search for, and their case
    acronyms       short forms and the long forms they are defined with
    matching       all forms in every reading of a text, as words and inside words
    word_search    forms word by word, in one pass over a folded text
    regrouped_codes  codes in other groups of digits
    term_automaton many terms in one pass
    spans          which range lies around a span
    readings       a text with its encodings undone and its words joined
    dates          dates among words, in every usual format and precision
    numerals       whole numbers as words, and back
    place_codes    codes of countries and states, with names and abbreviations
    passages       stretches of a text, the widest extent of a mention
    information    information content of words
"""
