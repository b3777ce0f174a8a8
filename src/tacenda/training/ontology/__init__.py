"""The recipe of the ontology of generalisations: what a place, an organisation or an occupation is.

classes.txt     the upper classes, in a reader's words
cut.txt         classes of Wikidata that tell a reader nothing
tree            the two files, read
hierarchy       all classes with what is more general; how many things are of each
thing           a name and what it may stand for

places          GeoNames: towns, regions, countries
wikidata        items by P31, P279, P8225, P361; slice or full dump
registers       organisations, hospitals, clubs, parties, languages from registers
nouns           WordNet: common nouns and their hypernyms
occupations     the Standard Occupational Classification, word lists
demonyms        nationalities

compile, card, build    the file that is shipped
"""
