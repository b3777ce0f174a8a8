"""Words that sources list as terms about people and that texts mean otherwise.

The lists were drawn up from the terms that most unlabelled judgments and articles contain
(documents of development splits left out), and extended after reading hits on training texts.
"""

from __future__ import annotations


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
