"""Routes of annotation mode, one file a page."""
