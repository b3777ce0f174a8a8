"""Words of the standard in a .docx or .pptx: they are nobody's name, whoever is masked.

Names of elements and attributes, enumerated values, namespaces, media types and places in the
archive (ECMA-376, Parts 1, 2 and 4, and the extensions of its word processor) are
made of few words, put together in camel case: ``sectPr``, ``nextPage``. Instead of the
names, which grow with every version, their words are listed: a name is the standard's if all of its
parts are. A word missing here is treated as somebody's own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from ..names import NameScrubber
from .package import (
    COMPATIBILITY,
    NAME_ATTRIBUTES,
    NAME_VALUES,
    NUMBERS,
    TEXT_ATTRIBUTES,
    TEXT_VALUES,
    Element,
    W,
    local_name,
    remove,
    renewed_prefixes,
    unwrap,
)

_WORDS = frozenset(
    """
    a aa abbr abjad above absolute abstract acc accelerator accent across act action active activex actual
    actuate add address adj adjust advance aft after against ah aiueo alg algn algorithm alias aliases align
    alignment all allow allowed allowincell allowoverlap aln alone alpha alt altchunk alternate alternating alts
    always an anchor anchorlock anchorx anchory and ang angle angles anim animation annotation annotations ansi
    antique any apart apex app appearance application apply arabic arc area arg around arr arrow arrowheads art
    as asc ascending ascii asia asian aspect aspectratio assoc at attached attachment attr attributes audio
    author auto autofit automatic autospace aux av average avg ax axis b back backdrop background backslash baht
    balance balloon band banner bar barcode bars base based baseline basic bat bcs bdr bef before beg begin
    behavior behaviors behind below beneath bent beside best between bevel bez bf bg bi bibliography bidi big
    bilevel bin binary binding bl black blank blanks bld blend blip block bltr blue blur bmk bmp body bold book
    bookfold bookmark bookmarks border borderbottom borderfor borderleft borderright borders bordertop bot both
    bottom bound boundaries bounding box br branch break breaking breaks bright brk broken browser brush brushes
    bt btlr bu bubble build built bullet button bw bwmode by byte c cache cached caching cad calc calculate
    calendar callout camera cancel cant cap caps caption captions card cardinal cartesian case cat catalog
    category cdtf ceiling cell cells center centered cex ch change changed changes chaos char character
    characterization characters chars charset chart chartcolorstyle chartex charts chartshapes chartspace
    chartstyle chartuser check checkbox checked chevron chicago child chinese choice choose chosung chr chunk
    cid circ circle circuit citation class clause clean cleanup clear click clip clips close clr clrs clrscheme
    clustered cm cmpd cmyk cn cnf cnt cntr cntx code col collapse collapsed collate collated color colorful
    colors colour cols column columns com comb combine combo comment commentex comments commentsids comp company
    compat compatibility compatible complex compose composite compress compression cond condense config conflict
    conformance connect connection connectloc connector connectortype connecttype consecutive constr constrained
    cont content contents context contextual contiguous continuation continue continuous contour contrast
    control conv convert converted coordinate coordinates coordorigin coordsize copies core coreproperties
    corner corners correct corrupt count counting cover covered cp cr created creation creator credit crop cross
    crosses crypt cs csb css cstate cstheme csz ctr ctrl cube cubic curve curved cust custom customer cut cx cxn
    cy cyan cycle d dag dark darken dash dashed data database datastore date datetime day dc dcmitype dcr
    dcterms dd de dec decagon decimal declination decls deep def default defaults deg degree del delay delete
    deleted delim demarcate den densities depth des desc descending descr description design dest destination
    detail dgm dgmlayout diag diagram diagramcolors dialog diamond did diff difference digital dir direction
    dirty disabled discard disclosure discretionary disp displaced display dist distance distribute distributed
    div divs dk dl dm dn do doc docprops docs document dodecagon does doi dollar done dot dots dotted double
    doughnut down downward dpi dr draft draw drawaspect drawing drawingml drilldown drop dropdown dropped
    dstrike dt dual duotone dur durable dxa dya dynamic e ea each east ed edge edges edit editing effect effects
    eid el elbow element elements ellipse else em emb embed embedded embedding emboss embossed emf empty emu
    enable enabled enclosed enclosing enclosure encoding end endnote endnotes endpoint enforce enforcement
    engrave enhanced ent entire entity entries entry envelope eof eq equal equation equationxml err error errors
    errs esc escapement escher even every ex exact exactly except exception excl exclude exclusive exit exp
    expand explicit explosion export expr ext extend extended extensible extension extensions extent external
    extlst extra extrusion f face faces facing fact factor fallback false family far fast fax fe feature
    features fetch ff fg field fields figure file fill fillcolor filled fills filltype filter filtered final
    first fit fitting fix fixed flag flash flat flatten fld flip float floating floor flow fmt fmts fn fo focus
    fol fold folded folio followed font fonts footer footers footnote footnotes for force forced forcedash
    forecast foreign forget form format formats formatted formatting forms formula formulas forward fps frac
    fraction fractional frame framed frames frameset free freehand from front ft ftnref ftr full fullwidth func
    funnel fwd g gal gallery gamma ganada gap gaps gd general generic geom gfxdata gif glass gloss glossary glow
    gone gothic gp grad gradient gradual grammar grammatical graphic graphics gray grayscl great green grey grid
    gridline gridlines group grouping grow growing growth grp gs guid guide guides gutter h hair half halfwidth
    hand handle handles handout handwriting hang hanging hangul hans hansi hard has hash hashes have hd hdph hdr
    head header headers heading headings heavy hebrew height heights help heptagon hex hexagon hi hidden hide
    hier hierarchy high higher highkashida highlight hindi hint hiragana histogram history hlink hls hm hold
    hole hook horizontal horz hour hover hps hr hralign href hres hrstd hsl hsv html http hue hundred hundreds
    hybrid hyperlink hyperlinks hyphen hyphenate hyphenation hyphens i icon ics id idcntr identifier ideograph
    idmap ids idx if ignorable ignore iha ilvl image imagealign imagedata images img imprint in inch include
    incr increase ind indent indentation indents index infix info information inherit init initial initials ink
    inline inner input ins insert inserted inset insetmode insetpen inside instance instr instruction int
    integral inter interface intersect interval intra inv invalid inverse invert inverted invisible iroha is iso
    isosceles issue it italic italics itap item items iterate ivl j japanese jc jis jpeg jpg just justification
    justified justify kanji kashida katakana keep kept kern kerning key keys keywords kind kinsoku korean
    kumimoji l label labels lambda landscape lang language lao large last lat latent latin lay layout lbl lbls
    lead leader leading leaf least leave left legacy legal legend len length less let letter letters lev level
    levels lgl lib library lid ligatures light lighten lightrig like lim limit limo lin line linear lines link
    linked links linkstyle linktype list listener lit lite ln lo load loc local locals location lock locked
    locks log logical lon long longest look loose low lower lowered lowkashida lpstr lr lrtb lrtbv ls lsd
    lsdexception lsdexceptions lst lt lum luma luminance lvl lvls m mac macro magenta mail mailto main major man
    manager mandatory manifest manual map mapped mapping mar margin margins mark marker marketing marks markup
    markupcompatibility marlett master masters masterstyles match material math mathml matrix max maxima maximum
    may mc mce mcs me med media median medium mediumkashida members memory menu merge merged message meta
    metadata metal meth method methods metrics metro microsoft mid middle mimetype min mini minimize minimum
    minor minus minute mirror mirrored miter mix mixed mm mo mod mode model modern modified modify modulate
    modulo mon mono month moon more most mouse move moved moves movie moving mr ms mso multi multilevel multiple
    must mv mw n nak nam name named names namespace narrow nary native nav navigate navy nc ne near nearest neg
    negate negation negative neighbor nest nested new newspaper next night nil nineteen no nobr node nodes noise
    non none nonprinting nor norm normal normalized north not notation note notes nothing notice ns nsid nsmap
    nth null num number numbering numbers numform numspacing nv nw o oasis obfuscate obj object objectid objects
    oblique occ octagon odd odso of off office officeart officedocument offset offsets oid ole oleobject olive
    on one oned onload only onoff onrequest op opacity opaque opc open opendocument openxmlformats operator opt
    optical optimize option options or ord order ordering ordinal org orient orientation orig origin original
    orthographic other others out outer outline outlined outlinelvl outlining output outset outside outward oval
    over overflow overflowpunct overlap overlay override overrides ovr own owner p pack package page pagelayout
    pages paginated pagination pair pairs pale pan pane panel panes panose paper paperclip par para paragraph
    paragraphs parallel parallelogram param parent part parts pass password paste path paths patt pattern pb pct
    pen pentagon people per percent percentage period perm permission permit personal perspective pg ph phant
    phantom phldr phonetic phonetics pic picker pict picture pictures pid pie pieces pitch pivot pixel pixels
    place placeholder plain plaque plc plot plus png point points polar poly polygon polyline pop portrait pos
    position positive post powder power powerpoint ppaction ppi ppt pptx pr pre precedence precision pref
    preferred preferrelative prefix pres presentation presentationml preserve preset preview previous prg pri
    prim primary print printed printer printers printing priority private prnt prod product production profile
    prog progid program prompt proof proofing prop properties property proportional proportionately props propsd
    prot protect protected protection provider proxy prst pt ptab ptablt pts pub public pull punct punctuation
    pure purl purple push pyramid q qf qformat qs quad quality quarter queries query quick quot quote quotes r
    rad radar radial radical radius rainbow raise raised random range rank rate ratio raw read reading recipient
    recipients recolor record rect rectangle red redefine reduce reduction ref reference referenced references
    referrer reflect reflection refresh refs reg region regroup regroupid regular reject rel related relation
    relations relationship relationships relative relid rels rely remainder removal remove render rendered
    repeat repeating repl replace reply represents required requires res reset resize resolution resolvable
    resolved resources restart restarts restored result retain return rev reverse reversed reviewer revision
    revisions rfc rgb rhombus ribbon rich rid rig right rightangle ring rings rl rltb roman root roots rot
    rotate rotated rotation rotx roty rotz round rounded roundrect row rows rpr rsid rsidr rsids rt rtf rtl ruby
    rule rules run running runs russian s safe salt salutation same samp sans sat saturation save saving saw
    scale scaled scaling scatter scene schema schemalibrary schemas schematic scheme scr screen scrgb script
    scripts scroll scrollbar sdt sdtcontent sdtdh se search sec second secondary seconds sect section security
    segments select selected selection selector semi semihidden sensitive sep separate separator seq sequence
    ser series serif server set sets setting settings setup sew sh shade shaded shading shadow shape
    shapedefault shapedefaults shapeid shapelayout shapes shapetype shared sharp shd shdw sheet sheets shift
    short show shows shrink sib sibling sid side sided sig sign signature signatureline signatures silver simple
    simplified simplify single sixteen sixty size sizes sk skeleton skip sky sl slant slanted sld sldnum slice
    slide slidenum slides slideshow slope slow small smart smiley smooth smt snap snd sng snip soft soften solid
    solver sort sorting source sources south sp space spaces spacing span spans sparse spc spd spec special
    speed spell spelling sphere spid spidmax spin spiral spline split splitter spread spreadsheet spt sq sqr
    square squared squiggle src srgb ss st stack stacked stage standalone standard star start startarrow
    starting starts stat state statement stats status std steel step steps stereo sticky stock stop storage
    store str straight strength stress stretch strict strike strikethrough string strip stripe striped stroke
    strokecolor stroked strokeweight strong structure sty style styles stylistic sub subdocs subdocument subject
    subpart subscript subset subst substitute subtitle subtle suf suff suffix suggested suite sum summary sun
    sup superscript supp supplemental suppress surface surround svg sw swap swatch swell swirl swish switch sx
    sy sym symbol symbolic symbols symex synchronize syntax sys system sz t tab table tables tabs tag tags tail
    taiwanese tall target tb tbl tblp tblr tblrv tbrl tbrlv tc tcbdr tck tcw teal tear teardrop template
    templates ten tens tentative term terms tertiary tetris text textarea textbox texteffect textfill
    textoutline textpath texts texture tgt thai thaidistribute than that the theme themeoverride themes then
    thick thickness thin thousand thousands threaded three threed threedee through throw thumb thumbnail
    thumbnails tick tid tiff tight tile tilt time timeline times tint title titles tl tlbr tmpl to toc together
    toggle token tokens tone tones tool toolbars tooltip top topic total totally totals tp tr track tracked
    traditional trail trailing trans transform transition transitional translucent transp transparent transpose
    trapezoid tree trend trendline triangle trim trimmed triple trn true trunc truncate trust tt tuple turn
    turquoise tv twelve twip twips two tx txbx txn type typed typeface types typographic u udl ui uid uipriority
    ul unapplied unc unchecked und undefined under underline underlined underscore undo unhide unhidewhenused
    union unique unit units universal unknown unlink unlocked unprotect unpunctuated unresolved unsigned until
    untitled unused up update updatemode upgrade upp upper upright upward urgent uri url urn us usage usb use
    used user userdrawn uses ust ut utc v val valid validate validation valign value values vanish var variable
    variant variation varies vars vary vector ver verbatim verse version versions vert vertical vertically
    vertices very vietnamese view viewer views vis visible visual vml vnd void volume vowels vt w wait wall
    walls warm warning warp wash waterfall wave wavy way wdp web wedge weight weights west wgp what wheel when
    where while whisker white whole wht wid wide widow width widths wild win window windows wipe wire wireframe
    with within without wizard wmf wne word wordart wordml wordprocessing wordprocessingml words work wp wpc wpg
    wpi wps wrap wrapcoords wrapped wrapping write writing wsp ww www wysiwyg x xaml xfrm xhtml xl xlink xlsx
    xml xmlns xor xpath xref xsd xsi xsl xslt xy xyz y year yearly yellow yen yes z zag zero zig zigzag zip
    zodiac zone zoom zorder
    """.split()
)

_PARTS = re.compile(r"[A-Z]{2,}s?(?![a-z])|[A-Z]?[a-z]+|[A-Z]")
_TERM = re.compile(r"[A-Za-z][A-Za-z_-]*\d{0,4}(?:[A-Za-z]+\d{0,2})?")
_ENUMERATED = re.compile(r"[a-z][A-Za-z-]*\d{0,4}(?:[A-Za-z]+\d{0,2})?")
_RELATIONSHIP = re.compile(r"rIdx?\d{1,6}")
_NAMESPACE = re.compile(
    r"""
    http://schemas\.(?:openxmlformats\.org|microsoft\.com)/[A-Za-z]+(?:[/-][A-Za-z]+|/20\d\d|/\d\d?)*
    |urn:schemas-microsoft-com:[a-z]+(?::[a-z]+)?
    |urn:oasis:names:tc:opendocument:xmlns:[a-z]+(?:-[a-z]+)*:\d\.\d
    """,
    re.VERBOSE,
)
_FURTHER_NAMESPACES = frozenset(
    """
    http://www.w3.org/XML/1998/namespace http://www.w3.org/2001/XMLSchema-instance
    http://purl.org/dc/elements/1.1/ http://purl.org/dc/terms/ http://purl.org/dc/dcmitype/
    http://www.w3.org/1999/xlink
    """.split()
)
_PACKAGING = re.compile(
    r"""
    \[Content_Types\]\.xml | _rels/\.rels
    | /?(?:word|ppt|docProps)/(?:media/|_rels/)?[A-Za-z]+\d*\.(?:xml|png|jpeg)(?:\.rels)?
    | (?:media/)?[A-Za-z]+\d*\.(?:xml|png|jpeg)
    | application/(?:xml|vnd\.(?:openxmlformats|ms)-[a-z]+(?:\.[A-Za-z-]+)*\+xml) | image/(?:png|jpeg)
    """,
    re.VERBOSE,
)
_FREE = (
    TEXT_ATTRIBUTES
    | NAME_ATTRIBUTES
    | frozenset(
        """
    anchor ascii author bookmark cs displayName eastAsia ed edGrp element font hAnsi id initials
    instr panose phldrT presName spid typeface uri xpath
    """.split()
    )
)
"""Attributes whose values somebody thought of, or that speak of such."""

_FREE_VALUES = (
    TEXT_VALUES
    | NAME_VALUES
    | frozenset(
        """
    altName attachedSchema clickAndTypeStyle connectString decimalSymbol defaultTableStyle dstDomain
    headerSource id listSeparator mappedName nsid query styleName udl uniqueTag
    """.split()
    )
)
"""Elements whose ``w:val`` is one of those values."""


@lru_cache(maxsize=8192)
def is_term(name: str) -> bool:
    """Return whether the name of an element or attribute is made of words of the standard alone."""
    return _TERM.fullmatch(name) is not None and _is_worded(name)


@lru_cache(maxsize=1024)
def is_namespace(uri: str) -> bool:
    """Return whether a namespace, or type of relationship, is the standard's."""
    if uri in _FURTHER_NAMESPACES:
        return True
    return _NAMESPACE.fullmatch(uri) is not None and _is_worded(uri)


@lru_cache(maxsize=1024)
def is_packaging(value: str) -> bool:
    """Return whether a media type or a place in the archive is the standard's."""
    return _PACKAGING.fullmatch(value) is not None and _is_worded(value)


def is_of_the_standard(tag: str, key: str, value: str) -> bool:
    """Return whether the value of an attribute is one of a closed list, or a namespace.

    Args:
        tag: the element, with its namespace in braces.
        key: the attribute, with its own if it has one.
        value: of the attribute.
    """
    if _RELATIONSHIP.fullmatch(value) or is_namespace(value):
        return True
    space, _, element = tag.rpartition("}")
    namespace, _, name = key.rpartition("}")
    return (
        name not in _FREE
        and not (name == "val" and element in _FREE_VALUES)
        and is_term(name)
        and is_term(element)
        and (not space or is_namespace(space[1:]))
        and (not namespace or is_namespace(namespace[1:]))
        and _is_enumerated(value)
    )


@lru_cache(maxsize=8192)
def _is_enumerated(value: str) -> bool:
    return _ENUMERATED.fullmatch(value) is not None and _is_worded(value)


def _is_worded(text: str) -> bool:
    return all(part.lower() in _WORDS for part in _PARTS.findall(text))


# All strings other than text are searched once more when they are written.
#
# | a form of a masked string in | becomes |
# |---|---|
# | the name of an element, or its namespace | the element goes, its content stays |
# | the name of an attribute, or its namespace | the attribute goes |
# | an attribute | the same without it, alike in all parts, so references by it still hold |
# | a prefix of a namespace | another prefix |
# | a number of a layout, a media type, a type of relationship | one that every document has |
#
# Words of the standard itself stay, whoever is masked: without its namespace or its name an element
# would take along all its content.


# Words of closed lists (center, nextPage) and numbers: short forms are none of them by accident.
_WORD_OF_THE_FORMAT = re.compile(r"[a-z][A-Za-z0-9]*|[-+0-9.%]+|[0-9A-F]+")
_DIGITS = re.compile(r"\d+")
_MARKED = re.compile(r"(#?)(.*)", re.DOTALL)
_NEUTRAL = "application/xml"
_UNNAMED = f"{W}text"


@dataclass(slots=True)
class Sweep:
    """Removal of masked names outside the text, alike in all parts of a document.

    Attributes:
        forms: the forbidden forms.
        names: strings to their replacements.
        written: all replacements so far.
    """

    forms: NameScrubber
    names: dict[str, str] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)
    known: dict[str, bool] = field(default_factory=dict)

    def tells(self, value: str) -> bool:
        """Return whether a string that is no text holds a form."""
        if value not in self.known:
            code = _WORD_OF_THE_FORMAT.fullmatch(value) is not None
            self.known[value] = self.forms.occurs_in(value, code=code)
        return self.known[value]

    def name(self, value: str, *, is_original: bool = False) -> str:
        """Return a name without any form: the same for the same name, another for another.

        Args:
            value: the name.
            is_original: whether it is somebody's own, so no word of the format.
        """
        if is_original and not self.known.get(value):
            self.known[value] = self.forms.occurs_in(value)
        if not self.tells(value):
            return value
        marked = _MARKED.fullmatch(value)
        mark, name = marked.groups() if marked else ("", value)
        if name not in self.names:
            digits = _DIGITS.fullmatch(name) is not None
            base = "" if digits else self.forms.redact(name)
            number = 1
            new = str(number) if digits else base
            while new in self.written or self.tells(new):
                number += 1
                new = str(number) if digits else f"{base} {number}"
            self.names[name] = new
            self.written.add(new)
        return mark + self.names[name]

    def media_type(self, value: str) -> str:
        """Return the media type of a part."""
        return value if is_packaging(value) or not self.tells(value) else _NEUTRAL

    def part(self, root: Element) -> Element:
        """Return the tree of a part, swept."""
        if not self.forms:
            return root
        for element in list(root.iter()):
            if element is not root and self._name_tells(str(element.tag)):
                if (element.text or "").strip():
                    element.tag = _UNNAMED  # What it says was read as text, and sanitized.
                else:
                    unwrap(element) if len(element) else remove(element)
                    continue
            self._attributes(element)
            text = element.text or ""
            if (
                local_name(element) in NUMBERS
                and self.tells(text)
                and not is_of_the_standard(str(element.tag), "val", text)
            ):
                element.text = "0"
        return renewed_prefixes(
            root, self.tells, lambda uri: not is_namespace(uri) and self.tells(uri)
        )

    def _name_tells(self, name: str) -> bool:
        """Return whether the name of an element or attribute, or its namespace, holds a form."""
        namespace, _, local = name.rpartition("}")
        standard = not namespace or is_namespace(namespace[1:])
        if standard and is_term(local):
            return False
        return self.tells(local) or (not standard and self.tells(namespace[1:]))

    def _attributes(self, element: Element) -> None:
        for key, value in list(element.attrib.items()):
            if self._name_tells(key):
                del element.attrib[key]
            elif key.startswith(COMPATIBILITY):
                continue  # prefixes; see renewed_prefixes
            elif is_of_the_standard(str(element.tag), key, str(value)):
                continue
            elif (new := self.name(str(value))) != value:
                element.set(key, new)
