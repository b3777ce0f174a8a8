"""Closed word lists, folded: words that name nobody alone, and names that are English words."""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MASCULINE = _words("mr mister sir lord herr monsieur senor pan bay father brother king")
FEMININE = _words("mrs ms miss madam lady frau madame mme mlle senora pani sister queen")
TITLES = (
    MASCULINE
    | FEMININE
    | _words(
        """dr doctor prof professor judge justice president minister ambassador captain colonel
        major general lieutenant sergeant officer inspector constable maitre rev reverend dame
        hon honourable qc kc esq prince princess count countess baron baroness dott av mag dipl ing
        messrs bishop imam rabbi prosecutor corporal private commander commissioner"""
    )
)
SUFFIXES = _words("jr sr jnr snr jun sen junior senior ii iii iv qc kc esq phd md")
PARTICLES = _words(
    """van von de der den di da del della du des la le les al el bin ibn ben ter ten zu zur und of
    dos das do af av y"""
)

MONTHS = _words(
    """january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec"""
)
DAYS = _words("monday tuesday wednesday thursday friday saturday sunday")
NUMBERS = _words(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
    hundred thousand million billion once twice first second third fourth fifth sixth seventh
    eighth ninth tenth half dozen several"""
)
UNITS = _words(
    """second minute hour day week month year seconds minutes hours days weeks months years decade
    decades per cent percent morning evening afternoon night today tomorrow yesterday"""
)
FUNCTION = _words(
    """a an the this that these those he she it they we i you him her them us me his hers its their
    our my your who whom whose which what and or but nor if of in on at by for from to with without
    as is are was were be been being has have had do does did does not no yes so than then there
    here when where why how all any both each few more most other some such only own same too very
    can will would shall should may might must could also however against between into through
    during before after above below up down out off over under again further about others"""
)
GENERIC = _words(
    """court courts government governments ministry article articles state states president judge
    judges section sections convention applicant applicants respondent party parties chamber grand
    council commission committee registrar registry prosecutor attorney agent police law act code
    constitution constitutional supreme high district regional county municipal city town village
    province department office authority authorities administration administrative board agency
    service services hospital prison university school bank company republic kingdom union federal
    national nationals international general public criminal civil minister parliament assembly
    senate appeal appeals cassation first instance tribunal case cases application applications
    paragraph protocol rule rules part chapter annex schedule member members director directorate
    head chief officer officers representative lawyer counsel witness victim defendant accused
    claimant plaintiff man woman person persons mother father son daughter wife husband brother
    sister child children family nation country region area street road house building centre
    institute institution association foundation organisation organization organ justice interior
    defence health finance education labour social security human rights european world decree
    regulation statute procedure proceedings judgment decision order bar group team"""
)
NAMES_THAT_ARE_WORDS = _words(
    """abbey angel archer art ash ball banks bar barber bay bean bear bell best better bill bird
    bishop black blue bond book booth bow bridge bright brook brooks brown buck bull burn burns
    bush butler camp can carpenter carter case cash castle chance chapel chapman charity chase
    child christian christmas church clay clear cliff close coal coffee cold cole constable cook
    cooper corn cotton court crane cross crow crown dale dark dawn day deal dean dear deer dick
    dollar don drew driver duck duke earl early east english eve ever fair faith fall farmer
    farrow fast field fields finch fish fisher fleet flood flower flowers forest forester fox
    france frank free freeman french frost fuller gale gardener garland gene german glass gold
    golden good grace grant grave graves gray green grey guy hall hand hands hardy harmony hart
    hay hazel heart heath heather heaven herb hill hills holiday holly holt home hood hook hope
    horn house hunt hunter ice iris irons island ivory ivy jack jasmine jay jet jewel joy judge
    just justice kay key keys kind king kings kitchen knight lake lamb land lane lark lawless
    lawyer leaf lee light lily little lock long love low luck major mark marks marsh marshall
    martin mason master masters mead meadow mercy mill miller mills mint monk moody moon moor
    mountain nest new newman nice nick noble noon norm north oak ocean old olive page palmer park
    parker parks pass pat patience pearl penny pepper pike piper pitt plant pond pool poor pope
    porter post potter pound power powers price priest prince prior prudence quick rain ram rand
    ray read reed rice rich rider ring rise river rivers rob robin rock root rose ruby rush rusty
    sage sailor sandy savage saw sawyer sea self sergeant shade sharp shepherd shoe short silver
    singer sky small smart snow song south sparks spring square star steel stern stone storm
    street strong sue summer summers sun swan sweet swift tailor tall taylor temple thorn tiger
    tower town trip true turner twist vale van victor victory violet wade walker wall ward
    waters way weaver webb weeks well wells west white wild will willow winter wise wolf wood
    woods word worth wright yard young"""
)
NEVER = FUNCTION | TITLES | MONTHS | DAYS | NUMBERS | UNITS | GENERIC
DETERMINERS = NUMBERS | _words(
    """a an the this that these those each every any some no another
    my your his her its our their"""
)

_ENDINGS = (("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"))


@cache
def _dictionary() -> frozenset[str]:
    data = files("tacenda").joinpath("data", "ordinary_words.txt.gz").read_bytes()
    return frozenset(gzip.decompress(data).decode("ascii").split())


def is_ordinary(word: str) -> bool:
    """Whether a folded word is an English one that is written in small letters, or a form of one."""
    return word in _dictionary() or any(
        word.endswith(ending) and word.removesuffix(ending) + base in _dictionary()
        for ending, base in _ENDINGS
    )
