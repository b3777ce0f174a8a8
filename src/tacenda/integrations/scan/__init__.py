"""Find identifiers in files, and say where they are without saying what they are.

``files`` selects files, ``findings`` finds identifiers, ``baseline`` stores what was accepted, and
``sarif`` writes the report that code hosts read. None of them writes text of a file.
"""
