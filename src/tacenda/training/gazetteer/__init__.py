"""The recipe of the gazetteer: person-related terms from Wikidata, WordNet and word lists."""
