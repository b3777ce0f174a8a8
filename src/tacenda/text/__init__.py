"""Surface forms: the strings that refer to a person or thing, and how to find them in a text.

Linking, propagation and verification share this package, so they agree on when strings are equal.

    decoding       from bytes to characters normal_form    the three forms in which strings are
    compared folding        folded text with its alignment offsets        from offsets in the output
    to offsets in the original tokens         words in every script, and the gaps between them
    word_lists     closed lists: titles, generic words, names that are English words names the parts
    of a person's name; spellings with the same sound given_names    short forms of given names, and
    the gender they show target_names   the name of the person to protect, and its spellings
    surface_forms  the strings to search for given a mention, and their case acronyms       acronyms
    and the names they are defined with matching       all forms in every reading of a text, as
    words and inside words word_search    forms word by word, in one pass over a folded text
    regrouped_codes  codes in other groups of digits term_automaton many terms in one pass spans
    which range contains a span readings       a text with encodings decoded and words joined dates
    dates among words, in every usual format and precision numerals whole numbers as words, and back
    place_codes    codes of countries and states, with names and abbreviations passages parts of a
    text that a mention can't extend beyond information information content of words
"""
