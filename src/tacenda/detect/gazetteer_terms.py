"""The groups of the gazetteer's terms and their semantic types.

A group holds the values of some Wikidata properties of people; which ones is written in
``training/gazetteer/properties.py``. DEM: an attribute of a person. MISC: something else that may
contribute to identifying them (``explicit_risk_measures``, section 3.1). A term that several
groups claim belongs to the first of them here.
"""

from __future__ import annotations

from ..document import SemanticType

_DEM = (
    "nationality",
    "ethnic_group",
    "kinship",
    "military_rank",
    "religion",
    "orientation",
    "ideology",
    "sport_position",
    "occupation",
    "health",
    "position",
    "degree",
    "title",
    "language",
    "social_status",
    "appearance",
)
_MISC = (
    "crime",
    "penalty",
    "cause_of_death",
    "instrument",
    "sport",
    "event",
    "award",
    "treatment",
    "field",
    "movement",
    "genre",
    "possession",
    "work",
)

GROUPS: dict[str, SemanticType] = {
    **dict.fromkeys(_DEM, SemanticType.DEM),
    **dict.fromkeys(_MISC, SemanticType.MISC),
}


# How probable it is that a mention of each kind must be masked.
#
# From `python benchmarks/gazetteer.py DATA` on the training texts: the share of the tokens of the hits
# that annotators masked, and that they called DEM or MISC, on TAB's 174 training judgments and on 453
# training biographies (no development text). The prior is the mean of the two corpora where both have
# 20 hits or more, else over all hits, (masked + 1) / (hits + 2). It is for a hit by itself: beside the
# recognizer, what only the gazetteer finds was mostly left for a reason.
#
# | kind | judgments: hits, masked, own | biographies: hits, masked, own | prior |
# |---|---|---|---|
# | award | none | 40, .300, .574 | .31 |
# | cause_of_death | 5, .000, .000 | 1, .000, 1.000 | .12 |
# | crime | 72, .024, .056 | 14, .429, .607 | .10 |
# | degree | 17, .176, .176 | 12, .333, .500 | .26 |
# | ethnic_group | 23, .826, .935 | 12, .333, .542 | .65 |
# | event | 7, .107, .429 | 28, .339, .702 | .30 |
# | field | 17, .118, .118 | 22, .364, .591 | .27 |
# | genre | none | 22, .091, .364 | .12 |
# | health | 27, .444, .722 | 21, .762, .667 | .60 |
# | ideology | 18, .014, .167 | 17, .294, .706 | .17 |
# | instrument | none | 7, .429, .286 | .44 |
# | kinship | 17, .000, .000 | 28, .107, .214 | .09 |
# | language | 6, .319, .278 | 29, .448, .500 | .43 |
# | military_rank | 3, 1.000, 1.000 | 14, .667, .810 | .70 |
# | movement | none | 2, .500, 1.000 | .50 |
# | nationality | 79, .646, .848 | 485, .285, .936 | .47 |
# | nationality_of_person | 187, .171, 1.000 | 4, .375, .250 | .18 |
# | nationality_of_state | 78, .679, .391 | 9, .611, .778 | .67 |
# | occupation | 322, .063, .075 | 414, .214, .861 | .14 |
# | orientation | none | 5, .000, 1.000 | .14 |
# | penalty | 13, .154, .000 | none | .20 |
# | person_said | 42, .732, .738 | 89, .237, .735 | .48 |
# | position | 18, .056, .426 | 20, .438, .438 | .27 |
# | possession | 37, .000, .000 | 22, .318, .864 | .16 |
# | religion | 12, .500, .500 | 35, .543, .686 | .53 |
# | social_status | 10, .000, .000 | 9, .333, .333 | .19 |
# | sport | 12, .667, .667 | 169, .198, .553 | .23 |
# | sport_position | none | 165, .133, .945 | .14 |
# | title | none | 2, .500, 1.000 | .50 |
# | treatment | 7, .000, .286 | 2, .500, .500 | .18 |
# | work | none | 24, .906, .892 | .88 |
#
# *appearance* has no term in the shipped gazetteer; a build from a full dump has some, and .2 is a guess.


PRIORS: dict[str, float] = {
    "appearance": 0.2,
    "award": 0.31,
    "cause_of_death": 0.12,
    "crime": 0.1,
    "degree": 0.26,
    "ethnic_group": 0.65,
    "event": 0.3,
    "field": 0.27,
    "genre": 0.12,
    "health": 0.6,
    "ideology": 0.17,
    "instrument": 0.44,
    "kinship": 0.09,
    "language": 0.43,
    "military_rank": 0.7,
    "movement": 0.5,
    "nationality": 0.47,
    "nationality_of_person": 0.18,
    "nationality_of_state": 0.67,
    "occupation": 0.14,
    "orientation": 0.14,
    "penalty": 0.2,
    "person_said": 0.48,
    "position": 0.27,
    "possession": 0.16,
    "religion": 0.53,
    "social_status": 0.19,
    "sport": 0.23,
    "sport_position": 0.14,
    "title": 0.5,
    "treatment": 0.18,
    "work": 0.88,
}


# Words that sources list as terms about people and that texts mean otherwise.
#
# The lists were drawn up from the terms that most unlabelled judgments and articles contain
# (documents of development splits left out), and extended after reading hits on training texts.


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STOP_WORDS = _words(
    """a aces acting active address adventure affair affairs aid analysis ancillary antecedent area
    art attempt automatic award band bar bass bibliography biography call case cause celebrity
    center centre certificate chair character church cincinnati citation class classical clear
    clergy close cold collecting collection colonial come comedy comic comment communication
    companion complaint complex computer conflict conte copy count crazy crew crime criminal
    critic criticism cross cult cut dead death decline degree designate detective dictionary
    direction discipline disorder domestic don downtown drama dress driving drug eastern ego
    encyclopaedia encyclopedia engage escort estate european even event ever execution
    executive exhaustion exhibit extra failure fall familiar family fast federal female field
    film final finance firm force foreign format formation forward foundation frank friend
    frontier fussy game gender good government gradual grant graph guide guy harm head heart
    heavy hero heroes history honor honour host human hurt hygiene image imprisonment in
    independent index injured interest intermediary internal intervention involve is issue it
    john johnny join journal kill king knight lab labour launch law letter licence life light
    line lit literary literature lord lot love lunatic magazine male man march marriage mass
    master match material medal medicine member memory men miami ministry minor mission mode
    model movement music musical name nationality native nature neck newspaper noise northern
    novel number occupation of offence offense office official old opera operative opposition
    order ordinary organ organisation organization other others outside painting pair part
    partial party patent path peer penalty performance performing period person personality
    piece place plane play playing poem point pop popular position post power practice pre
    preventive prior private pro probe process product program programme project property
    prose public punishment pursued race rank reformed regional regular religious report
    request resident resistance resource rest result review right ring role romantic rule run
    runner same scholarship school science score script season seat secondary self series
    service sex shot show side sign signature silver singles sir six skin slow small smart
    social soft song sound source southern space speech spread staff stage standard star start
    state statement station statistics status story string style subject subsidiary suffering
    superior survey system taking talk technical temporary term territorial test text the
    theater theatre theory title top track tradition translation treating treatment trial
    tribe true trust turn type union unit university value variety vehicle verse version
    victim vile violation voice voluntary wales war weapon well western woman women word work
    world writing written yankee young youth zero"""
)
"""Never a term when they stand alone."""

COMMON = _words(
    """accused actor actress adviser advisor advocate agent allies applicant artist assistant
    associate attorney auditor author authority bailiff boss brother bruise burn candidate
    captain chairman chief child citizen client coach collapse colleague commander
    commissioner counsel counsellor daughter delegate demonstrator deputy detainee director
    disability disabled doctor driver editor employee employer executive expert faculty father
    fellow founder general governor graze guard guardian heir holder husband ill illness
    inhabitant injury inmate inspector invalid investigator journalist judge justice landowner
    lawyer leader legislator lieutenant major manager married member minister mother observer
    officer ombudsman owner pain parent partner patient player police president principal
    prisoner producer professional professor prosecutor psychiatrist psychologist publisher
    reader registrar relative representative respondent retired retirement secretary sister
    soldier son specialist spouse student superintendent teacher tenant trainee user wife
    witness worker writer"""
)
"""Terms of a judgment or an article about anybody: they count only where one person is said to be it."""

STOP_PHRASES = frozenset(
    (
        *("a civil action", "acting for", "all in all", "at large", "criminal offence"),
        *("federal minister", "forty five", "have not", "human rights", "in law", "in memory of"),
        *("injured party", "legal representative", "medical care", "medical examination"),
        *("medical treatment", "no one", "police officer", "president of the court"),
        *("presiding judge", "public health", "public prosecutor", "r v", "regulatory offence"),
        *("the assumption", "the help", "the letter", "third party", "to go", "trial judge"),
        *("university president",),
    )
)
"""Never a term, although made of several words."""
