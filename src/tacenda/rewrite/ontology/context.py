"""Context of a name in its sentence: a noun for its class, or the long form of an abbreviation.

| rule | example | noun |
|---|---|---|
| apposition before | "the novel **Ubik**", "comedy duo **Jarinus**" | novel, comedy duo |
| apposition after | "**Ubik**, a novel", "**Ubik** (1969 novel)", "**Ubik** is a short novel" | novel |
| list | "films such as **Loser** (2000), **Zodiac** and **42**" | film |
| study | "his son studies **law**" | field of study |
| quotation | said: "**no one saw it**" | quotation |
| verb | "a striker who plays for **Emelec**", "competed in the **Norisring**" | sports team, competition |
| abbreviation | "the National Basketball League (**NBL**)" | by the long form |

The nouns that may stand before and after a name are those of the ontology; a rule only proposes them,
and whether the class fits the type of the mention is the linker's question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...document import SemanticType

_NAME = r"[A-Z0-9À-ÞĀ-Ž][\w'’.&–-]*"
_QUOTES = "\"“”'‘’"
_BEFORE = re.compile(
    r"(?<![\w'-])((?:[a-z][\w'-]*\s+|TV\s+){0,2}(?:[a-z][\w'-]*))"
    r"(?:,?\s+(?:called|named|titled|entitled))?,?\s*[\"“'‘(]?\s*\Z"
)
_PLACE_OF = re.compile(r"((?:[a-z][\w'-]*\s+)?[a-z][\w'-]*)\sof\s\Z")
_AFTER = re.compile(
    r"\A[\"”'’)]?,?\s*(?:\((?:\d{4} |an? )?|(?:(?:is|was),?|,) (?:an?|the|one of the) )"
    r"((?:[\w'-]+ ){0,5}[a-z][\w'-]+)(?![\w'-]| [\"“'‘A-ZÀ-Þ])"
)
_MORE = re.compile(
    r" (?:of|in|from|by|that|which|who|where|for|and|with|on|at|to|is|was|as|\w+ed|\w+ing|written|set)\b"
)
_LIST = re.compile(
    r"(?<![\w'-])((?:[a-z][\w'-]*\s+){0,2}(?:[a-z][\w'-]*s|work))\b,?(?:\s+(?:such\s+as|including|include[sd]?|like)\b"
    r"|\s+are|\s*:)[:,]?\s+(?P<items>[^;]*)\Z"
)
_ITEM = re.compile(
    rf"(?:{_NAME}|\(\d{{4}}[^)]*\)|\d{{4}}|and|or|the|of|a|in|on|to|for|at|&|with|[,.{_QUOTES}!?:–-])"
)
_SPORT = re.compile(
    r"\b(?:football|footballers?|soccer|basketball|hockey|baseball|rugby|cricket(?:er)?|handball|volleyball"
    r"|midfielder|striker|defender|goalkeeper|quarterback|cornerback|linebacker|winger|forward|batsman"
    r"|pitcher|speedway|basemen|baseman|outfielder|club career|premiership|premier league)\b",
    re.IGNORECASE,
)
_ITEMS = (
    rf"(?:{_NAME}(?:\s{_NAME}){{0,3}}(?:\s\([^)]*\))?(?:,|,?\sand|,?\sthen)\s(?:the\s)?){{0,5}}"
)
_PLAYS = re.compile(
    r"\b(?:play(?:s|ed|ing|ers?)?|appear(?:s|ed|ances?)|debut(?:ed)?|sign(?:s|ed|ing)?|draft(?:ed)?"
    r"|trad(?:ed|e)|transfer(?:red)?|loan(?:ed)?|coach(?:ed|es)?|captain(?:ed)?|mov(?:ed?|es|ing)"
    r"|spells?|stints?|seasons?|games|match(?:es)?|rid(?:es?|den|ing)|rode|switch(?:ed)?"
    r"|return(?:ed)?|score[ds]?|goals|caps|released|career|manager|guard|forward|midfielder|defender|striker"
    r"|goalkeeper|winger|end|back|quarterback|receiver|tackle|pitcher|catcher|baseman|fielder|footballer)\b"
    rf"(?:\s(?!in\b|until\b)(?:[a-z][\w'’-]*|{_NAME}|\d+)){{0,6}}?\s(?:for|by|with|against|to|from|of)\s"
    rf"(?:the\s)?{_ITEMS}\Z"
)
_LEAGUE = re.compile(r"\b(?:League|Liga|Ligue|Serie|Conference)\b")
_COMPETES = re.compile(
    r"\b(?:compet(?:e[sd]?|ing)|qualif(?:y|ied)|finished|placed|placing|rank(?:ed)?|medals?|medal(?:led|ist|list)?"
    r"|runner-up|winner|finals?|semi-?finals?|round|champions?|won (?:the|a|an|three|two) \w+)\b"
    r"(?:\s(?:[a-z0-9][\w'’-]*)){0,4}?\s(?:in|at|of|for)\s(?:the\s)?(?:\d{4}(?:[-–/]\d{2,4})?\s)?\Z"
)
_HONOURED = re.compile(
    r"\b(?:awarded|receiv(?:ed|ing)|nominated for|recipient of|presented with|honou?red with|given)\s"
    r"(?:with\s)?(?:the|an?)\s(?:\d{4}\s|prestigious\s)?[\"“]?\Z"
)
_MADE = re.compile(
    r"\b(?:starr(?:ed|ing|s)\sin|roles?\sin|directed|co-directed|wrote|written|co-wrote|co-writing|writing"
    r"|episodes?\s(?:of|for)|author\sof|published|produced|screenplay\s(?:of|for)|adaptation\sof|sequel\sto"
    r"|composed|recorded|reprised\s\w+\srole(?:\s\w+){0,3}\sin|translated|lyrics\s(?:of|for)"
    r"|(?:productions?|performances?|premieres?|remakes?|covers?|stagings?|releases?|likes|cast|creators?)\sof,?"
    r"|soundtrack\s(?:of|for|to)|(?:released|recorded)\s(?:\w+\s){0,3}?(?:album|single|song|EP),?)\s"
    r"(?:the\s)?[\"“‘']?\Z"
)
_WORKS = rf"(?:[\"“]?{_NAME}(?:\s{_NAME}){{0,5}}[\"”]?(?:\s\([^)]*\))?,?\s(?:and\s)?){{0,5}}"
_CREDITED = re.compile(
    r"\b(?:worked\son|appear(?:ed|ing|s|ances?)\s(?:on\sstage\s)?in|credits\sinclude[ds]?|starr(?:ed|ing|s)\sin"
    rf"|roles?\sin|featured\sin|memoirist\sof)\s(?:the\s)?{_WORKS}[\"“‘']?\Z"
)
_IN_PART = re.compile(
    rf"\b(?:play(?:s|ed|ing)|portray(?:s|ed|ing|al\sof)|as)\s{_NAME}(?:\s{_NAME}){{0,3}}\s(?:in|on)\s(?:the\s)?[\"“‘']?\Z"
)
_BEST = re.compile(r"(?:Best|Outstanding|Favou?rite|Most)\s(?:[a-z]+\s)*[A-Z]")
_NOMINATED = re.compile(
    r"\b(?:nominat(?:ed|ions?)|awards?|won|win(?:s|ning)?|prize)\b", re.IGNORECASE
)
_ALSO_HONOURED = re.compile(
    r"\b(?:awarded|honou?red\swith|conferred|decorated\swith)\s[^.;]{1,80}(?:,|\band)\s(?:with\s)?the\s\Z"
)
_PLAYS_IN = re.compile(
    r"\b(?:play(?:s|ed|ing|ers?)?|officiat(?:es|ed|ing)|debut(?:ed)?|coach(?:ed|es|ing)?)\b[^.;]{0,50}\sin\s(?:the\s)?\Z"
)
_ON_STAGE = re.compile(
    r"\b(?:films?|movies?|television|series|theat(?:re|er)|stage|act(?:or|ress|ing)|novel(?:ist)?|writer|memoir)\b"
)
_IN_BAND = re.compile(
    r"\b(?:members?\sof|founded|(?:re)?formed|fronted|(?:drummer|guitarist|vocalist|bassist|singer|keyboardist)\s"
    rf"(?:of|for|with|in))\s(?:the\s)?{_ITEMS}\Z"
)
_MUSIC = re.compile(
    r"\b(?:bands?|vocalist|guitarist|drummer|bassist|albums?|metal|punk|songwriter)\b"
)
_OF_THE_YEAR = re.compile(r"\bof the (?:Year|Month|Week|Season|Tournament|Match|Decade|Century)\Z")
_ON_AIR = re.compile(r"\b(?:FM|AM|Radio|TV)\b")
_AGE_GROUP = re.compile(r"(?:U-?|[Uu]nder-)[12]\d")
_WORDS_OF_QUOTATION = 4
_DATED = re.compile(r"\A[\"”'’]?\s\((?:1[89]|20)\d\d\)")
_QUOTED = re.compile(r"[\"“]\Z")
_OF_WORKS = re.compile(
    r"\b(?:songs?|singles?|tracks?|films?|movies?|episodes?|poems?|plays?|stage|albums?|recorded|sang|released)\b"
)
_ENACTED = re.compile(
    r"\b(?:(?:sections?|articles?|§§?|paragraphs?|rules?)\s[\d().§–-]+(?:(?:,|\sand|\sor)\s[\d()]+)*\s(?:\([^)]*\)\s)?of"
    r"|pursuant\sto|in\saccordance\swith|(?:entry|came|entered)\sinto\sforce\sof|provisions?\sof)\s(?:the\s)?[\"“]?\Z",
    re.IGNORECASE,
)
_STUDIED = re.compile(
    r"\b(?:stud(?:y|ies|ied|ying)|(?:degrees?|diplomas?|doctorates?|ph\.?d\.?|ba|bsc|ma|msc|majored|majoring|graduated) in"
    r"|professors? of|lectur(?:er|es|ed) (?:in|on)|students? of)\s(?:[\w-]+(?:,| and)\s)?\Z",
    re.IGNORECASE,
)
_SPOKEN = re.compile(
    r"\b(?:some|little|no|broken|basic|good|taught(?: \w+){1,3}|sp(?:eaks?|eaking|oke|oken)|fluent(?:ly)?(?: in)?|translat(?:ed|es|ion|ing)(?: \w+){0,3} (?:from|into|to)"
    r"|(?:written|wr[oi]tes?|available|published|sung|sings?|said|lyrics|instruction|lessons?|courses?|books?|poems?|titled?"
    r"|instructor|teachers?|professors?|lecturers?|degrees?|classes) (?:in|of)|in|learn(?:s|ed|t|ing)?|teach(?:es|ing)?|taught"
    r"|stud(?:y|ies|ied|ying)|languages?[,:]?(?: such as| including| like)?)\s(?:both\s|mainly\s)?"
    rf"(?:{_NAME}(?:,|,?\s(?:and|or|to))\s)*\Z"
)
_IN_LANGUAGE = re.compile(r"\(\s?\Z|;\s\Z")
_ENDS_THERE = re.compile(
    r"\A(?:[\"”'’]?[.,;:!?)\]]|\s*\Z|\s(?:and|or|at|in|with|for|from|to|as|on|by|is|was|but|when|because|than|language)\b"
    rf"(?!\s{_NAME}\s(?![.,;]|and|or)[a-z]))"
)
_THE = re.compile(r"\b[Tt]he\s\Z")
_NO_NOUN_AFTER = re.compile(
    r"\A(?:[\"”'’]?[.,;:!?)\]]|\s*\Z|\s(?:and|or|in|of|is|was|are|were|has|had|have|for|to|at|on|by|with|from|as|that"
    r"|which|who|where|but|will|would|can|could)\b)"
)
_TYPES = {SemanticType.ORG, SemanticType.MISC, SemanticType.LOC}
_SENTENCE = re.compile(r"[.!?][\"”]?\s+(?=[A-Z])(?<!\b[A-Z]\.\s)")
_LONG_FORM = re.compile(rf"({_NAME}(?:\s(?:of|for|and|the|de|&|{_NAME})){{1,9}})\s\(\s*\Z")
_ABBREVIATION = re.compile(r"[\w.&/-]{2,12}")


def nouns_said(text: str, type: SemanticType, context: str) -> Iterator[str]:
    """Yield the nouns that a sentence has for a name, the surest first; none for people's qualities."""
    if type not in _TYPES:
        return
    for before, after in _around(text, context):
        of = _PLACE_OF.search(before) if type is SemanticType.LOC else None
        match = of or _BEFORE.search(before)
        if match:
            yield from _ends(match[1])
        match = _AFTER.match(after)
        if match:
            yield from _ends(_MORE.split(match[1])[0])
        match = _LIST.search(before)
        if match and not _ITEM.sub("", match["items"]).strip():
            yield from _ends(match[1])
        yield from _by_verb(text, type, before, after, context)


def _by_verb(text: str, type: SemanticType, before: str, after: str, context: str) -> Iterator[str]:
    if type is SemanticType.LOC:
        return
    if _OF_THE_YEAR.search(text):
        yield "award"
    if _ON_AIR.search(text):
        yield "broadcaster"
    if _IN_BAND.search(before) and _MUSIC.search(context):
        yield "band"
    if _AGE_GROUP.fullmatch(text) and _SPORT.search(context):
        yield "sports team"
    if type is SemanticType.ORG and _LEAGUE.search(text) and _SPORT.search(context):
        yield "sports league"
    if type is SemanticType.ORG and _PLAYS.search(before) and _SPORT.search(context):
        yield "sports team"
    if _COMPETES.search(before):
        yield "competition"
    if type is SemanticType.MISC:
        if _is_quotation(text, before):
            yield "quotation"
        if _CREDITED.search(before) and _ON_STAGE.search(context) and not _SPORT.search(context):
            yield "creative work"
        if _BEST.match(text) and _NOMINATED.search(before):
            yield "award"
        if _PLAYS_IN.search(before) and _SPORT.search(context):
            yield "competition"
        if _IN_PART.search(before) and _ON_STAGE.search(context) and not _SPORT.search(context):
            yield "creative work"
        if _DATED.match(after) or (_QUOTED.search(before) and _OF_WORKS.search(context)):
            yield "creative work"
        for pattern, noun in (
            (_HONOURED, "award"),
            (_ALSO_HONOURED, "award"),
            (_MADE, "creative work"),
            (_ENACTED, "legal instrument"),
        ):
            if pattern.search(before):
                yield noun


def _is_quotation(text: str, before: str) -> bool:
    """Return whether a string in quotation marks is what a person said, and no title."""
    words = text.split()
    small = sum(word[:1].islower() for word in words)
    return bool(
        _QUOTED.search(before) and len(words) >= _WORDS_OF_QUOTATION and small * 2 > len(words)
    )


_AFTER_SUBJECT = re.compile(
    r"\b(?:to|I|[Yy]ou|[Ww]e|[Tt]hey|[Hh]e|[Ss]he|who|will|can|would|should|could|may|might|must)\s\Z"
)
_VERB_PHRASE = re.compile(
    r"\w.*\s(?:my|your|his|her|its|our|their)\s|(?:studied|worked|played|taught|learned|learnt|lived|served|broke|fractured"
    r"|injured|lost|drove|ran|sang|wrote|read|sold|bought)\s"
)


def is_sport(context: str) -> bool:
    """Return whether a text is about sports."""
    return bool(_SPORT.search(context))


def is_clause(text: str, context: str) -> bool:
    """Return whether small words are what a person does: "broke my leg", "(to) study law"."""
    if not text.islower() or " " not in text:
        return False
    return bool(_VERB_PHRASE.match(text)) or any(
        _AFTER_SUBJECT.search(before) for before, _ in _around(text, context)
    )


def is_studied(text: str, context: str) -> bool:
    """Return whether a small word is what a person studies, teaches or has a degree in."""
    return text.islower() and any(_STUDIED.search(before) for before, _ in _around(text, context))


def is_spoken(text: str, context: str) -> bool:
    """Return whether an adjective stands for a language everywhere: "fluent in **Dutch**", "(**Dutch**: "."""
    places = [*_around(text, context)] if text[:1].isupper() else []
    return bool(places) and all(
        (_SPOKEN.search(before) and _ENDS_THERE.match(after))
        or (_IN_LANGUAGE.search(before) and after.startswith(":"))
        for before, after in places
    )


def takes_article(text: str, context: str) -> bool:
    """Return whether a name stands after "the" and before no noun that this may belong to."""
    places = [*_around(text, context)]
    return bool(places) and all(
        _THE.search(before) and _NO_NOUN_AFTER.match(after) for before, after in places
    )


def long_form(text: str, context: str) -> str:
    """Return the name that stands before an abbreviation in parentheses; empty if there is none."""
    if not _ABBREVIATION.fullmatch(text):
        return ""
    for before, after in _around(text, context):
        match = _LONG_FORM.search(before)
        if match and after.startswith(")"):
            return match[1]
    return ""


def _around(text: str, context: str) -> Iterator[tuple[str, str]]:
    """Yield what stands before and after a name in its sentence, for each place of it."""
    start = context.find(text)
    while start >= 0:
        before = _SENTENCE.split(context[:start])[-1]
        yield before, context[start + len(text) :]
        start = context.find(text, start + 1)


def _ends(phrase: str) -> Iterator[str]:
    words = phrase.split()
    for start in range(len(words)):
        yield " ".join(words[start:])
