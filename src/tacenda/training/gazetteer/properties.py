"""Which Wikidata properties of people are kept, and for which group of terms.

``explicit_risk_measures``, section 3.1, kept 44 properties as DEM and 196 as MISC and names two of
each (occupation, political ideology; cause of death, convicted of). Its list is not published;
this one was chosen anew by the same question: could a value of it help to identify somebody, and
is it an attribute of the person (DEM) or something around them (MISC)? Properties whose values are
persons, places, organisations, dates or numbers are left out: the recognizer and the patterns find
those. The type of a group is in `detect.gazetteer.groups.GROUPS`; the group *treatment* has no
property of people behind it, its terms are from the other sources. Some (P1039, P512, P812) mostly stand as
qualifiers of another statement; both places are read.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Property:
    """A Wikidata property of people.

    Attributes:
        id: its P number.
        label: its English label.
        group: the group that its values belong to.
        demonym: the value is a place; its demonyms (P1549) are the terms, not its name.
    """

    id: str
    label: str
    group: str
    demonym: bool = False


PROPERTIES = (
    # DEM
    Property("P27", "country of citizenship", "nationality", demonym=True),
    Property("P1532", "country for sport", "nationality", demonym=True),
    Property("P172", "ethnic group", "ethnic_group"),
    Property("P1039", "kinship to subject", "kinship"),
    Property("P410", "military rank", "military_rank"),
    Property("P140", "religion", "religion"),
    Property("P8929", "religion or world view", "religion"),
    Property("P611", "religious order", "religion"),
    Property("P411", "canonization status", "religion"),
    Property("P1142", "political ideology", "ideology"),
    Property("P1387", "political alignment", "ideology"),
    Property("P91", "sexual orientation", "orientation"),
    Property("P21", "sex or gender", "orientation"),
    Property("P1050", "medical condition", "health"),
    Property("P413", "position played on team / speciality", "sport_position"),
    Property("P741", "playing hand", "sport_position"),
    Property("P106", "occupation", "occupation"),
    Property("P412", "voice type", "occupation"),
    Property("P1731", "Fach", "occupation"),
    Property("P39", "position held", "position"),
    Property("P803", "professorship", "position"),
    Property("P8413", "academic appointment", "position"),
    Property("P512", "academic degree", "degree"),
    Property("P97", "noble title", "title"),
    Property("P511", "honorific prefix", "title"),
    Property("P2962", "title of chess person", "title"),
    Property("P103", "native language", "language"),
    Property("P1412", "languages spoken, written or signed", "language"),
    Property("P6886", "writing language", "language"),
    Property("P3716", "social classification", "social_status"),
    Property("P1576", "lifestyle", "social_status"),
    Property("P1347", "military casualty classification", "social_status"),
    Property("P552", "handedness", "appearance"),
    Property("P1340", "eye color", "appearance"),
    Property("P1884", "hair color", "appearance"),
    Property("P8839", "hairstyle", "appearance"),
    Property("P8852", "facial hair", "appearance"),
    Property("P8006", "footedness", "appearance"),
    # MISC
    Property("P509", "cause of death", "cause_of_death"),
    Property("P1196", "manner of death", "cause_of_death"),
    Property("P1399", "convicted of", "crime"),
    Property("P1595", "charge", "crime"),
    Property("P7781", "exonerated of", "crime"),
    Property("P1596", "penalty", "penalty"),
    Property("P166", "award received", "award"),
    Property("P1411", "nominated for", "award"),
    Property("P101", "field of work", "field"),
    Property("P812", "academic major", "field"),
    Property("P811", "academic minor", "field"),
    Property("P8258", "field of training", "field"),
    Property("P2650", "interested in", "field"),
    Property("P1303", "instrument", "instrument"),
    Property("P641", "sport", "sport"),
    Property("P2416", "sports discipline competed in", "sport"),
    Property("P607", "conflict", "event"),
    Property("P1344", "participant in", "event"),
    Property("P793", "significant event", "event"),
    Property("P2522", "victory", "event"),
    Property("P3602", "candidacy in election", "event"),
    Property("P135", "movement", "movement"),
    Property("P136", "genre", "genre"),
    Property("P800", "notable work", "work"),
    Property("P3919", "contributed to creative work", "work"),
    Property("P520", "armament", "possession"),
    Property("P3438", "vehicle normally used", "possession"),
    Property("P3091", "mount", "possession"),
)
