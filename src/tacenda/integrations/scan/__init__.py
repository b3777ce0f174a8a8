"""Look for identifiers in files, and say where they are without saying what they are.

``files`` selects what is read, ``findings`` finds, ``baseline`` knows what was accepted, ``sarif`` writes
the report that code hosts read. None of them writes text of a file.
"""
