"""Restore: sanitized files back to what they were, by a key or by a mapping file.

All or nothing, unless the text was edited since: then as many placeholders as can be told.

    mapping   what a mapping file is, and how it is written while documents are sanitized
    reading   mapping files read and checked
    edited    placeholders found in a text that was rewritten around them
    files     a sanitized file and a key or a mapping to the bytes of the original

Without a mapping only what *encrypt* wrote comes back; ``sealing`` opens it. A mapping file gives
back what any operator wrote.
"""
