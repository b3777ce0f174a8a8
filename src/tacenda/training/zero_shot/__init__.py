"""The zero-shot recognizer: no annotation of the benchmark's, neither types nor masking decisions.

``explicit_risk_measures``, section 3.1: a generic recognizer of names and a gazetteer label texts
that nobody annotated, and another recognizer learns from that.

| file | what it is |
|---|---|
| ``conll.py`` | sentences of a column file, as texts with spans |
| ``names.py`` | corpora of named entities under three types, to fit the generic recognizer to |
| ``quantities.py`` | shares, measures and counts, which no pattern of the product looks for |
| ``labelling.py`` | what names, patterns and terms say of a text, without overlaps |
| ``package.py`` | a recognizer that says types only: whatever it finds is a risk |
| ``recipe.py`` | all of it in steps |
"""
