"""Words that tell a sex or a relationship, the words for both, and the verbs beside pronouns."""

from __future__ import annotations

import re
from typing import Final

from ...shipped import shipped_text

# Words of one sex, and the words for both.


def _table(*lines: str) -> dict[str, tuple[str, str]]:
    """Return words with (their sex, the word for both); a plural stands after a slash."""
    table: dict[str, tuple[str, str]] = {}
    for line in lines:
        feminine, masculine, neutral = (part.split() for part in line.split("|"))
        target = " ".join(neutral).split("/")
        for sex, words in (("f", feminine), ("m", masculine)):
            for word in words:
                singular, _, plural = word.partition("/")
                table[singular.replace("_", " ")] = (sex, target[0])
                several = plural or f"{singular}s"
                table[several] = (sex, target[1] if len(target) > 1 else f"{target[0]}s")
    return table


NOUNS: Final = _table(*shipped_text("gendered_nouns.txt").splitlines())
YOUNG: Final = _table("girl|boy|child/children")
GROWN: Final = _table("girl|boy|person/people")
SMALL: Final = frozenset("little young small baby school teenage newborn toddler".split())
TITLES: Final = frozenset("mr mrs ms miss sir madam mme lord lady dame".split())
NEUTRAL_TITLE: Final = "Mx"
CALLS: Final = frozenset("man boy girl guy dude lad".split())
CALLING: Final = frozenset(
    "oh hey yeah yes no hi hello thanks sorry and but well wow so like cheers".split()
)
"""Before a call, which is to nobody of a sex: *oh man*."""
OTHERS: Final = {
    "tongue": "mother",
    **dict.fromkeys(("nature", "earth", "board", "ship", "lode", "teresa"), "mother"),
    **dict.fromkeys(("company", "companies", "city", "ship", "paper", "site", "school"), "sister"),
    **dict.fromkeys(("christmas",), "father"),
}
"""What is no person's, by the word after it."""
LEFT: Final = re.compile(
    r"\b(?:pregnan\w*|miscarr\w+|menopaus\w*|menstru\w*|breast-?fe\w+|ovar\w+|uter\w+|womb|cervi\w+|gyna?ecolog\w*"
    r"|hysterectom\w*|prostat\w+|testic\w+|vasectom\w*|erectile|penis|vagina\w*|nuns?|monks?|priestess\w*|queens?"
    r"|kings?|princess(?:es)?|princes?|duchess|dukes?|lesbians?|mistress(?:es)?|ma['’]am|goddess\w*|witch(?:es)?"
    r"|masculin\w+|feminin\w+|matern\w+|patern\w+|motherhood|fatherhood|motherly|fatherly|girlish|boyish)\b",
    re.IGNORECASE,
)

# The same without relationship.


TIES: Final = {
    **dict.fromkeys(("wife", "wifey", "husband", "hubby", "spouse"), "relative"),
    **dict.fromkeys(("wives", "husbands", "hubbies", "spouses"), "relatives"),
    **dict.fromkeys(
        ("girlfriend", "boyfriend", "fiancé", "fiance", "fiancée", "fiancee"), "companion"
    ),
    **dict.fromkeys(("girlfriends", "boyfriends"), "companions"),
    **dict.fromkeys(("widow", "widower"), "person"),
    **dict.fromkeys(("widows", "widowers"), "people"),
    **dict.fromkeys(("bride", "groom", "bridegroom", "newlywed"), "person"),
    **dict.fromkeys(("marriage", "wedding", "divorce"), "[event]"),
    **dict.fromkeys(("widowed", "unmarried", "divorced", "remarried"), "[status]"),
    **dict.fromkeys(("divorcee", "divorcée", "bachelor", "spinster"), "person"),
}
OF_PEOPLE: Final = frozenset("my his her their our your whose".split())
STATUS_BEFORE: Final = frozenset(
    "am is are was were be been being got get getting still now recently newly happily not i'm i’m he's "
    "he’s she's she’s they're they’re never currently both".split()
)

# Verbs.


AGREEING: Final = {
    "is": "are",
    "was": "were",
    "has": "have",
    "does": "do",
    "goes": "go",
    "isn't": "aren't",
    "wasn't": "weren't",
    "hasn't": "haven't",
    "doesn't": "don't",
}
AUXILIARIES: Final = frozenset(word for word in AGREEING if word != "goes")
NO_VERBS: Final = frozenset(
    "this as his its hers theirs ours yours always sometimes perhaps besides thus nevertheless towards "
    "across yes us less unless afterwards nowadays plus versus whereas themselves ourselves yourselves "
    "news series others overseas upstairs downstairs indoors outdoors years months weeks days hours "
    "minutes times thanks".split()
)
ADVERBS: Final = frozenset(
    "always never also still often just then now soon once only even ever usually sometimes rarely seldom "
    "hardly almost already later first again instead therefore thus however nevertheless alone herself "
    "himself both all not too really probably perhaps today yet sure well currently apparently".split()
)
NO_ADVERBS: Final = frozenset("family apply reply supply rely fly only july italy bully".split())
JOINING: Final = frozenset("and or but nor then".split())
STOPPING: Final = frozenset(
    "i we you they it he she who which that there this these those because when while if although though "
    "whereas since until where why how what whose whom as so than".split()
)
FINITE: Final = frozenset("is was has does are were isn't wasn't hasn't doesn't".split())
ASKING: Final = frozenset(
    "what where when why how who whom which whose neither nor only so than rarely never seldom hardly "
    "and but or because if well then".split()
)
BE_WITH: Final = frozenset(
    "married divorced tired worried scared retired engaged excited bored disabled interested allowed "
    "supposed used pleased based widowed dedicated qualified called named born concerned injured "
    "confused involved known required expected afraid satisfied frightened exhausted pregnant loved "
    "addicted employed unemployed paid fed trained separated convinced determined prepared".split()
)
PARTICIPLES: Final = frozenset(
    "been got had gone done made taken seen come become said known written given found lost left told "
    "felt kept met put read run sent spent built bought brought taught thought won grown shown".split()
)
COMMON_VERBS: Final = frozenset(
    "works lives says makes takes gets knows thinks feels wants needs keeps likes loves plays teaches speaks "
    "sings complains suffers describes reports denies enjoys drives walks eats sleeps smokes drinks runs "
    "reads writes travels studies attends holds owns leads sits stands sees looks gives finds tells asks "
    "uses tries leaves calls believes hopes plans begins starts continues remains stays spends wears "
    "appears seems becomes brings carries comes cooks bakes cleans cares collects commutes dances "
    "dreams earns expects explains fears fights follows forgets gardens hates hears helps hikes hopes "
    "jogs keeps knits laughs learns lends lies listens loses manages meets misses moves notices offers "
    "paints pays performs practises practices prefers presents raises receives recalls recommends refuses "
    "regrets remembers rents requires requests rides sells sends serves sews shares shops shows states "
    "supports swears swims talks trains understands visits volunteers votes waits wakes watches wishes "
    "worries goes does has is was handles organises organizes coaches chairs directs edits sleeps breathes "
    "tolerates takes undergoes lifts climbs rows cycles sails fishes hunts skis paints composes publishes".split()
)
"""Verbs that are rarely plural nouns after *and*, or oftener verbs."""
OF_PHRASES: Final = frozenset(
    "the a an to in on at as for with by from about it them him her his their my our up out off over back "
    "that how what like being very well not no some many more less every each all both".split()
)

# *Her* before a noun is *their*, before anything of these *them*; *his* before these is *theirs*.

NO_NOUNS: Final = frozenset(
    "in on at by to for from with about of off up down out over into onto under through after before during "
    "since until till without within and or but nor so because if when while as than that which who whom "
    "whose whether how why what where is was are were has had have be been will would can could may might "
    "must shall should do does did not n't a an the this these those his my our your their its it them they he "
    "she i we you us me again today yesterday tomorrow tonight now then there here back away alone once "
    "twice too very really just only also even anymore already soon later instead together either".split()
)
LETTING: Final = frozenset(
    "let lets letting make makes made making help helps helped helping".split()
)
GIVING: Final = frozenset("calling call called named".split())

# Pronouns.


OBJECTS: Final = frozenset("her hers herself him his himself".split())
PRONOUNS: Final = OBJECTS | {"she", "he"}
FAMILY: Final = frozenset(
    "mum mom dad mummy daddy mother father grandma grandpa nana granny auntie aunt uncle".split()
)
