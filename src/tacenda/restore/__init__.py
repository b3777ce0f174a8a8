"""Restore: sanitized files back to what they were, by a key or by a mapping file; all or nothing.

    mapping   what a mapping file is, and how it is written while documents are sanitized
    reading   mapping files read and checked
    files     a sanitized file and a key or a mapping to the bytes of the original

Without a mapping only what *encrypt* wrote comes back; ``sealing`` opens it. A mapping file gives
back what any operator wrote.
"""
