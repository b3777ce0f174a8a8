r"""The user's policy: thresholds, operators, allow and deny lists, and the person to protect.

One YAML schema. Everything is optional; the shipped policies in this package are examples.

    extends: clinical           # a shipped policy, which the other fields override
    threshold: 0.2              # mask from this probability up; the model's default if absent
    thresholds: {DEM: 0.5}      # by semantic type
    length_penalty: 0.3         # in [0, 1]: how much a threshold rises with the number of words masking would lose
    residual_share: 0.05        # or a bound: on average, at most this share of the identifiers may be left
    domain: court               # the kind of documents: for the recognizer and for residual_share
    model: recognizer-small     # a shipped recognizer, a folder with one, or hf:NAME from transformers
    detectors: [mine]           # from plug-ins: find mentions in addition to the recognizer and the patterns
    indicators: [language]      # used in addition to the recognizer; language:FOLDER for one you trained
    combine: any                # any (the largest value), all, weighted, learned, or learned:FOLDER
    weights: {language: 0.5}    # for weighted; 1 if absent
    information: unigram        # the cost of a change; or unigram:FILE, lm, lm:FOLDER, hf:NAME
    operator: tag               # or suppress, pseudonym, generalize, surrogate, hash, encrypt, or a plug-in's
    tag_language: en            # language of the tags: a code such as de, or text for the language of each text
    operators: {DATETIME: suppress}                          # by semantic type
    operators_for: [{exact: Anna Berg, operator: pseudonym}] # by entity; the first match
    dates: jitter               # surrogate dates move each by its own number of days; or shift: all by one
    surrogate_all_or_tags: false  # tags for a whole document if something in it has no good surrogate
    surrogate_culture: keep     # of made-up names: each person's own; or document: its language's, for all
    target: [Galip Yalman]      # the people to protect: these names are direct identifiers
    allow: [{exact: European Court of Human Rights}, {form: time}]
    deny: [{regex: 'project \w+', type: MISC}, {fuzzy: Jon Smyth, similarity: 85, type: PERSON}]
    key_env: TACENDA_KEY        # a variable, or key_file: a path; never the key itself
    background: people.store    # no surrogate is a name or a profile value of someone in this store
    residual_risk: 0.01         # highest residual risk of a generalization: here, it fits a hundred things
    ontology: ontology-en       # for generalizations: the shipped one, or a folder with another
    prefer: people              # which generalization below this risk; or detail: the most specific
    keep: [occupation, order of events]  # what readers need: generalized as little as the bound allows
    brackets: square            # around generalizations; or none; or italics: none, but italic in HTML
    neutral: [sex, relationship]  # in addition, the text says they, spouse, parent …; nothing if absent
    recognizer: true
    patterns: true              # or {off: [phone_number, th_national_id]}: all but these
    gazetteer: 0.2              # also find terms about people masked this often; off if absent
    propagate: true
    languages: warn             # about parts the recognizer can't read; or patterns: only patterns there; or refuse
    checks: [mine]              # from plug-ins: check each result before it is written
"""

from __future__ import annotations

from .rules import OperatorRule, Rule
from .schema import Policy

__all__ = ["OperatorRule", "Policy", "Rule"]
