r"""Forms that rules may name: strings of one kind regardless of their context.

| form | matches |
|---|---|
| ``time`` | ``10:30``, ``at 5 pm``, ``noon``, ``this morning`` |
| ``weekday`` | ``Monday``, ``next Friday evening``, ``tomorrow`` |
| ``duration`` | ``two weeks``, ``3 days ago``, ``every 6 hours``, ``daily`` |
| ``measure`` | ``5 mg``, ``132/88 mmHg``, ``BP 132/88``, ``HbA1c 7.2 %``, ``37.9 °C``; a bare number of a quantity |
| ``age`` | ``23 years old``, ``aged 93``, ``7-year-old``, ``45yo`` |
| ``age_under_90`` | the same up to 89, and bare numbers of traits and dates up to that |
| ``age_over_89`` | the same from 90 on, ``Mrs Vane, 97, fell``, ``turned 104``, ``93F``, ``101st birthday``, ``nonagenarian`` |
| ``date`` | ``12 March 1994``, ``3/12/2024``, ``May 2020``, ``seen 3/14``, ``due 11.08``, ``02.04. bis``, ``2024-01-05T07:02:11Z``; no bare year |
| ``day`` | ``12/9``, ``11.08``, ``13 March``, ``3-9 May``: days of a month without a year, as a mention of its own |
| ``lone_age_over_89`` | ``97``, ``97 yrs``, ``centenarian``: a number or a word as a mention of its own |
| ``year`` | ``2019``, ``2019-2021``, ``the 1990s``, from 1950 on |
| ``early_year`` | what has a year before 1950 in it: born then, a person alive is over 89 (until 2039) |
| ``us_state`` | ``Ohio``, ``the United States``; no name that a city has, too |
| ``us_zip`` | ``02139``, ``MA 02139-4301`` |
| ``url`` | ``https://example.org/x``, ``www.example.org`` |
| ``picture_file`` | ``IMG_4471.jpg``, ``face.png``, ``ct-scan.dcm`` |

They are read with their own case, whatever the rule says of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from ..document import SemanticType
from ..shipped import shipped_table

FormName = Literal[
    "time",
    "weekday",
    "duration",
    "measure",
    "age",
    "age_under_90",
    "age_over_89",
    "date",
    "day",
    "lone_age_over_89",
    "year",
    "early_year",
    "us_state",
    "us_zip",
    "url",
    "picture_file",
]

_LISTS: Mapping[str, str] = {
    key: text.replace("\n", "") for key, text in shipped_table("english_contexts")["forms"].items()
}
_START = r"(?<![\w.,/-])"
_END = r"(?![\w%]|[.,/:-]\d)"

_ONES = "one|two|three|four|five|six|seven|eight|nine"
_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TO_EIGHTY = (
    rf"(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty)(?:[ -](?:{_ONES}))?|{_TEENS}|{_ONES})"
)
_COUNT = rf"(?:\d{{1,3}}(?:[.,]\d{{1,2}})?(?:\s?(?:-|–|to|or)\s?\d{{1,3}})?|{_TO_EIGHTY}|an?|several|a few|few|half an?|a couple of|the (?:last|past|next)(?: (?:\d{{1,3}}|{_TO_EIGHTY}))?)"
_UNIT = r"(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|h|days?|d|nights?|weeks?|wks?|months?|mos?|years?|yrs?|decades?)"
_SPAN = rf"{_COUNT}[\s-]?{_UNIT}(?:\s(?:and|,)\s{_COUNT}\s{_UNIT})?"
_DURATION = (
    rf"(?:(?:about|around|approximately|for|over|nearly|almost|in|after|within|x|every|at least|up to|more than|less than|another)\s?)?{_SPAN}"
    r"(?:['’]s?)?(?:\s(?:ago|later|earlier|before|after|prior|afterwards|long|each|every day|a day|daily|weekly))?"
    r"|(?:once|twice|three times|four times|\d times)(?:\s(?:a|per|each|every)\s(?:day|week|month|year|night)|\s(?:daily|weekly))?"
    r"|(?:every (?:other )?)(?:day|morning|evening|night|week|month|year|hour)|daily|weekly|monthly|nightly|hourly"
    r"|(?:(?:for|in|over|every|after|f/u)\s|x\s?)?\d{1,2}/(?:7|52)(?:\s(?:hx|history|ago))?|24/7(?:\s(?:care|support|cover|access))?|\d{1,2}/12\s(?:hx|history|ago)"
    r"|(?:for|in|x|over|every|after|f/u)\s\d{1,2}/12"
)

_DAY = r"(?:[Mm]on|[Tt]ues?|[Ww]ed(?:nes)?|[Tt]hu(?:rs?)?|[Ff]ri|[Ss]at(?:ur)?|[Ss]un)"
_WEEKDAY = (
    rf"(?:(?:on|by|until|till|from|since|[Ll]ast|[Nn]ext|[Tt]his|[Ee]very|the following)\s)?(?:{_DAY}days?|{_DAY}\.?)"
    r"(?:\s(?:morning|afternoon|evening|night))?"
    r"|(?i:today|tomorrow|yesterday|(?:on the |at the |this |next |last )?weekends?|(?:this|next|last) (?:week|month|year))"
)
_CLOCK = r"(?:[01]?\d|2[0-4])"
_TIME = (
    rf"(?:(?:at|around|about|by|from|until|till|before|after)\s)?(?:{_CLOCK}[:.h][0-5]\d(?:[:.][0-5]\d)?(?:\s?[ap]\.?\s?m\b\.?)?"
    rf"|{_CLOCK}\s?(?i:[ap]\.?m\b\.?|o['’]clock|hours|hrs))(?:\s?(?:hours|hrs|h|UTC|GMT|Z|[ECP][SD]?T|[+-]\d\d:?\d\d))?"
    r"|(?i:(?:at )?(?:noon|midday|midnight)|(?:this |in the |that |the |late |early )?(?:morning|afternoon|evening)|tonight|last night|overnight|at night)"
)

_NUMBER = r"(?:[<>≤≥~=]\s?)?\d{1,6}(?:,\d{3}){0,2}(?:\.\d{1,4})?"
_NUMBERS = rf"{_NUMBER}(?:\s?(?:-|–|/|to|x|×|\+/-|±)\s?{_NUMBER}){{0,2}}"
_UNITS = _LISTS["units"]
_RATE = rf"(?:\s?/\s?(?:{_UNITS}|(?i:day|d|hr|h|hour|min|minute|wk|week|dose|hpf|lpf)|1\.73\s?m(?:2|²))){{0,2}}"
_TIMES_A_DAY = r"(?:\s(?i:po|iv|im|sc|sl|pr|prn|od|bd|bid|tid|tds|qid|qds|qd|qhs|stat|daily|nightly|q\d{1,2}h))*"
SIGN = _LISTS["signs"]
"""The name of a value in a clinical note, for use in a pattern."""
_PRESSURE = r"(?:[7-9]\d|1\d\d|2[0-5]\d)\s?/\s?(?:[3-9]\d|1[0-4]\d)"
_MEASURE = (
    rf"{SIGN}\s?(?:of|is|was|:|=|at)?\s?{_NUMBERS}(?:(?:,|\sand|,\sand)\s{_NUMBER}){{0,3}}(?:[\s-]?{_UNITS}{_RATE})?{_TIMES_A_DAY}"
    rf"|{_NUMBERS}[\s-]?{_UNITS}{_RATE}{_TIMES_A_DAY}|{_PRESSURE}|{SIGN}"
)

_OLD = r"(?:[\s-]?(?:years?|yrs?|y)[\s./-]?(?:olds?|o\b\.?|of\sage))"
_INFANT = r"\d{1,2}[\s-]?(?:months?|weeks?|days?)[\s-]old"


def _ages(number: str) -> str:
    """The pattern of an age, given that of its number."""
    return rf"(?:{number}){_OLD}|(?i:aged?|at the age of|age of|age\s?[:=]|age is)\s?(?:{number})(?:\s?(?:years?|yrs?))?"


_TO_89 = rf"(?:[1-8]?\d(?:\.5)?|{_TO_EIGHTY})"
_FROM_90 = rf"(?:9\d|1[0-2]\d|[Nn]inety(?:[ -](?:{_ONES}))?|(?:[Aa]|[Oo]ne) hundred(?: and (?:{_ONES}|{_TEENS}))?)"


def _after(endings: str, *, negated: bool = False) -> str:
    """The pattern of a place after, or not after, any of some ends of words: a look behind has one length."""
    if negated:
        return "".join(f"(?<!{ending})" for ending in endings.split("|"))
    return "(?:" + "|".join(f"(?<={ending})" for ending in endings.split("|")) + ")"


_NO_VALUE = rf"(?!\s?(?:[%°/]|(?i:per|steps?|times|people|patients|hours?|hrs?|minutes?|mins?|days?|weeks?|months?|{_UNITS})\b(?!\s[A-Z])))"
# Ages whose sentence says what they are: Mrs Vane, 97, fell; she turned 104; at 92 he still drives; 93F; F/90.
_OLD_DIGITS = r"(?:9\d|1[0-2]\d)"
_BESIDE_NAME = _after("[a-z], |[a-z] [(]|[a-z]; ")
_IS = _after(_LISTS["before_age"])
# A person's name before is or was: a capitalised word that is not a value.
_NAMED = (
    "(?=9|1[0-2])(?:"
    + "|".join(
        rf"(?<=\b[^\W\d_a-z][^\W\d_]{{{n}}} {verb} )"
        for n in range(2, 12)
        for verb in ("is", "was")
    )
    + ")"
    + _after(_LISTS["before_value"], negated=True)
)
_NO_TEMPERATURE = _after("[TF] |[Tt]emp |ture |ever |of |to |at |: ", negated=True)
_OLD_YEARS = rf"{_OLD_DIGITS}[\s-]?(?i:years?|yrs?|y/?o)"
_OLDEST = (
    rf"{_BESIDE_NAME}{_FROM_90}(?=[,;).]\s|[,;).]?$|\s(?:and|who|with|from|of)\b)|(?:{_IS}|{_NAMED}){_FROM_90}{_NO_VALUE}"
    rf"|(?<=[Aa]t ){_FROM_90}(?=,?\s(?:s?he|they|I|we)\b)|[Nn]inety-(?:{_ONES}){_NO_VALUE}"
    rf"|{_OLD_DIGITS}\s?/\s?[FfMm](?!\w)|{_NO_TEMPERATURE}{_OLD_DIGITS}\s?(?:yrs?|y/?o?)?[\s/-]?[FfMm](?=[,;.)]?(?:\s|$))"
    rf"|(?:[FfMm]|[Mm]ale|[Ff]emale|MALE|FEMALE)\s?[/,]?\s?{_OLD_DIGITS}{_NO_VALUE}|{_OLD_DIGITS}(?:st|nd|rd|th)(?=\s[Bb]irthday)"
    r"|(?i:ninetieth|(?:one )?hundredth|ninety-[a-z]{4,7}th)(?=\s[Bb]irthday)|(?i:nonagenarians?|(?:super)?centenarians?)"
    rf"|(?:(?<=his )|(?<=her )|(?<=heir ))(?:(?:(?:early|mid|late)[\s-])?(?i:nineties|90s)|{_OLD_DIGITS}(?:st|nd|rd|th)(?!\s(?:per)?centile))"
    rf"|(?i:hundred)[\s-]years?[\s-]old|{_OLD_YEARS}(?![\w/]|\s(?:ago|since|later|earlier)\b)"
)

_MONTH = _LISTS["months"]
_DAY_OF_MONTH = r"(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_ANY_YEAR = r"(?:1[89]\d\d|20\d\d)"
ZONE = "(?:UTC|GMT|UT|Z|[ECMP][SD]T|CES?T|BST)"
"""The name of a time zone, for use in a pattern."""
_TO = r"\s?(?:[-–&]|to|and|until|till)\s?"
_ZONE = r"\s?[+-]\d\d:?\d\d(?:\s\([A-Z]{2,5}\))?"
_MOMENT = rf"(?:,?\s[0-2]?\d:[0-5]\d(?::[0-6]\d)?(?:{_ZONE}|\s?{ZONE}))?"
# A day and a month without a year look like fractions, scores, doses and durations (3/7: three of seven days).
_DAYS, _MONTHS = r"(?:0?[1-9]|[12]\d|3[01])", r"(?:0?[1-9]|1[0-2])"
_DAY_AND_MONTH = rf"(?:{_MONTHS}/{_DAYS}|{_DAYS}/{_MONTHS})"
_DAYS_AND_MONTH = rf"(?:{_DAYS}{_TO})?{_DAY_AND_MONTH}(?:{_TO}{_DAY_AND_MONTH})?"
_LONG_DAY_AND_MONTH = rf"(?:{_MONTHS}/(?:1[3-9]|2\d|3[01])|(?:1[3-9]|2\d|3[01])/{_MONTHS}|0[1-9]/{_DAYS}|{_DAYS}/0[1-9])"
_DATED = _after(_LISTS["before_date"])
_UNTOLD = _after(_LISTS["before_score"], negated=True)
_NO_SCORE = (
    r"(?![\d/]|\.\d|\s?(?:%|(?i:hx|history|ago|pain|power|strength|pregnant|gestation|weeks|days|months|nodes|positive"
    rf"|lymph|cores|doses?|tabs?|tablets?|puffs?|od|bd|tds|qds|{_UNITS.replace('|in|', '|')})\b))"
)
_DATE = (
    rf"(?:{_DAY}\.?,?\s)?(?:{_DAY_OF_MONTH}{_TO})?{_DAY_OF_MONTH}[\s-](?:of\s)?{_MONTH}(?:,?[\s-](?:{_ANY_YEAR}{_MOMENT}|['’]?\d\d\b))?"
    rf"|{_MONTH}\s{_DAY_OF_MONTH}(?:{_TO}{_DAY_OF_MONTH})?(?:,?\s{_ANY_YEAR}{_MOMENT})?|(?:{_MONTH}\s?[-–/]\s?)?{_MONTH},?\s(?:of\s)?{_ANY_YEAR}|{_MONTH}\s?[-–/]\s?{_MONTH}"
    r"|(?:0?[1-9]|[12]\d|3[01])(?P<sep>[/.-])(?:0?[1-9]|[12]\d|3[01])(?P=sep)(?:(?:19|20)\d\d|\d\d)|(?:19|20)\d\d[-/.][01]\d[-/.][0-3]\d"
    r"(?:[T ][0-2]\d:[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:Z|\s?[+-]\d\d:?\d\d|\sUTC)?)?"
    r"|(?:19|20)\d\d[01]\d[0-3]\dT[0-2]\d[0-5]\d(?:[0-5]\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?(?:\d\d)?)?"
    r"|[0-3]?\d/(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)/(?:19|20)\d\d(?::\d\d:\d\d:\d\d(?:\s[+-]\d{4})?)?"
    rf"|(?=\d){_DATED}{_DAYS_AND_MONTH}{_NO_SCORE}|{_UNTOLD}(?!24/7)(?:{_DAYS}{_TO})?{_LONG_DAY_AND_MONTH}{_NO_SCORE}"
    # 3-9/5: no score is more than its highest.
    rf"|{_UNTOLD}{_DAYS}{_TO}(?:[6-9]|1[0-2])/[1-5]{_NO_SCORE}"
    r"|(?:(?<=[Oo]n the )|(?<=[Bb]y the )|(?<=til the )|(?<=ince the ))(?:[12]?\d|3[01])(?:st|nd|rd|th)(?=[.,;]|\s(?:and|at|for|to|with)\b|\Z)"
    rf"|(?=\d){_DATED}(?:0?[1-9]|[12]\d|3[01])[.-](?:0[1-9]|1[0-2]){_NO_SCORE}"
    # 06.12: no value and no dose begins so; a time may.
    rf"|(?=0){_UNTOLD}(?<![Aa]t )0[1-9]\.(?:0[1-9]|1[0-2]){_NO_SCORE}"
    # "vom 02.04. bis": a stop behind the month, and the sentence goes on.
    r"|(?:0[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2])\.(?=\s?[a-zäöüß0-9–-])"
)
_RECENT = r"(?:19[5-9]\d|20\d\d)"
_YEAR = rf"(?:(?:in|since|from|until|of|by|around|early|late|mid|the|the early|the late)[\s-])?{_RECENT}(?:['’]?s|\s?[-–/]\s?(?:{_RECENT}|\d\d))?"

STATE_CODES = (
    r"A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]"
    r"|RI|S[CD]|T[NX]|UT|V[AIT]|W[AIVY]"
)

FORMS: Mapping[FormName, re.Pattern[str]] = {
    "time": re.compile(rf"{_START}(?:{_TIME}){_END}"),
    "weekday": re.compile(rf"{_START}(?:{_WEEKDAY}){_END}"),
    "duration": re.compile(rf"{_START}(?i:{_DURATION}){_END}"),
    "measure": re.compile(rf"{_START}(?:{_MEASURE})(?!\w|[.,]\d)"),
    "age": re.compile(rf"{_START}(?:{_ages(f'{_TO_89}|{_FROM_90}')}|{_INFANT}){_END}"),
    "age_under_90": re.compile(rf"{_START}(?:{_ages(_TO_89)}|{_INFANT}){_END}"),
    "age_over_89": re.compile(rf"(?<![\w.])(?:{_ages(_FROM_90)}|{_OLDEST})(?!\w|[.,]\d)"),
    "date": re.compile(rf"{_START}(?:{_DATE}){_END}"),
    "day": re.compile(
        rf"{_START}(?:{_DAYS_AND_MONTH}|{_DAYS}[.-]{_MONTHS}\.?|{_MONTHS}[.-]{_DAYS}|(?:{_DAY_OF_MONTH}{_TO})?{_DAY_OF_MONTH}[\s-](?:of\s)?{_MONTH}"
        rf"|{_MONTH}\s{_DAY_OF_MONTH}(?:{_TO}{_DAY_OF_MONTH})?){_END}"
    ),
    "lone_age_over_89": re.compile(
        rf"{_START}(?:{_OLD_DIGITS}|{_OLD_YEARS}|(?i:[a-z ]{{0,20}}centenarians?)){_END}"
    ),
    "year": re.compile(rf"{_START}(?:{_YEAR}){_END}"),
    "early_year": re.compile(r"(?:[^\n]{0,60}?\D)?(?:1[0-8]\d\d|19[0-4]\d)(?:\D[^\n]{0,60})?"),
    "us_state": re.compile(
        rf"(?<!\w)(?:(?:the )?(?:State|Commonwealth) of )?(?:{_LISTS['states']})(?!\w)"
        r"|(?<!\w)(?:the )?(?:United States(?: of America)?|USA|US|U\.S\.(?:A\.)?)(?!\w)"
    ),
    "us_zip": re.compile(rf"(?<![\w-])(?:(?:{STATE_CODES}),?\s)?\d{{5}}(?:-\d{{4}})?(?![\w-])"),
    "url": re.compile(r"(?<![\w@])(?:https?://|ftp://|www\.)[^\s<>\"“”]{2,500}[\w/=]"),
    "picture_file": re.compile(
        rf"{_START}[\w-]{{1,80}}\.(?i:jpe?g|png|heic|tiff?|bmp|gif|dcm|dicom|nii)(?!\w)"
    ),
}
"""The expressions, each linear in the length of what it matches."""

_BARE = re.compile(r"(\d{1,3})(?:\.\d{1,4}|\s?/\s?\d{1,3})?")
_VALUES = (SemanticType.QUANTITY, SemanticType.MISC)
_AGES = (SemanticType.DEM, SemanticType.DATETIME)


def is_bare_value(form: FormName, string: str, type: SemanticType) -> bool:
    """Whether a number without words is a measure or an age up to 89, by its semantic type.

    It may as well be the number of a house or a record, a day, or an age that has to go.
    """
    bare = _BARE.fullmatch(string)
    if bare is None or form not in ("measure", "age_under_90"):
        return False
    return type in _VALUES or (type in _AGES and string == bare[1] and int(string) < 90)
