"""Surface forms: the strings by which a referent is named, and how they are found in a text.

Shared by the stages that group mentions, find further ones and look for what was left over, so
that all three agree on what counts as the same string.

    words       closed lists: titles, generic words, words that are also names
    names       the parts of a person's name
    transliteration  names across spellings of one sound
    acronyms    short forms defined in parentheses
    surface     which strings of a mention are searched for, and in which case
    tokens      words in every script, and what stands between them
    search      all forms in one pass over a folded text
    reading     a text with its encodings undone and its words joined
    searcher    forms as words and inside words, in every reading of a text
"""
