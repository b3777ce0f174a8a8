CREATE TABLE beside (document INTEGER PRIMARY KEY REFERENCES document ON DELETE CASCADE, project INTEGER NOT NULL, revision INTEGER NOT NULL, fault TEXT NOT NULL);
CREATE INDEX beside_of_project ON beside (project, document);
CREATE TABLE part (document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE, number INTEGER NOT NULL, project INTEGER NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL, place TEXT NOT NULL, text TEXT NOT NULL, media_type TEXT NOT NULL, treatments TEXT NOT NULL, decision TEXT NOT NULL, PRIMARY KEY (document, number));
CREATE INDEX part_of_project ON part (project, decision != '', document, number);
