BEGIN TRANSACTION;
CREATE TABLE annotator (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
INSERT INTO "annotator" VALUES(1,'ann');
INSERT INTO "annotator" VALUES(2,'ben');
INSERT INTO "annotator" VALUES(3,'cem');
CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    name BLOB NOT NULL UNIQUE,
    split TEXT NOT NULL,
    target TEXT NOT NULL,        -- JSON: names of the person to protect
    text BLOB NOT NULL,
    marks TEXT NOT NULL          -- JSON: what is marked before anybody begins
);
INSERT INTO "document" VALUES(1,X'77696B69','test','["Ada Byron"]',X'416461204279726F6E2077617320626F726E206F6E2034204D6179203138313520696E204C6F6E646F6E2E','{"by": "annotator3", "items": [{"span": [0, 9], "type": "PERSON", "identifier": "DIRECT", "status": "NOT_CONFIDENTIAL", "entity": "e1", "edit": "check", "options": [["heuristics", ["PERSON 1", "***"]]]}, {"span": [22, 32], "type": "DATETIME", "identifier": "QUASI", "status": "NOT_CONFIDENTIAL", "entity": "e2", "edit": "check", "options": [["heuristics", ["1815", "date in the 1810s", "***"]]]}, {"span": [36, 42], "type": "LOC", "identifier": "NO_MASK", "status": "NOT_CONFIDENTIAL", "entity": "e3", "edit": "check", "options": []}]}');
CREATE TABLE event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL REFERENCES document,
    annotator INTEGER NOT NULL REFERENCES annotator,  -- whose annotation it is of
    number INTEGER NOT NULL,     -- running; the last one is the annotation's revision
    person TEXT NOT NULL,
    at TEXT NOT NULL,
    act TEXT,                    -- JSON; null for undo and redo
    undoes INTEGER REFERENCES event,
    redoes INTEGER REFERENCES event,
    UNIQUE (document, annotator, number)
);
INSERT INTO "event" VALUES(1,1,1,1,'ann','2026-11-22T05:42:06+00:00','{"kind": "choose", "spans": [[0, 9]], "value": "PERSON 1"}',NULL,NULL);
INSERT INTO "event" VALUES(2,1,1,2,'ann','2026-11-22T05:42:06+00:00','{"kind": "choose", "spans": [[22, 32]], "value": "1815"}',NULL,NULL);
INSERT INTO "event" VALUES(3,1,1,3,'ann','2026-11-22T05:42:06+00:00','{"kind": "submit"}',NULL,NULL);
INSERT INTO "event" VALUES(4,1,2,1,'ben','2026-11-22T05:42:06+00:00','{"kind": "choose", "spans": [[0, 9]], "value": "PERSON 1"}',NULL,NULL);
INSERT INTO "event" VALUES(5,1,2,2,'ben','2026-11-22T05:42:06+00:00','{"kind": "choose", "spans": [[22, 32]], "value": "***"}',NULL,NULL);
INSERT INTO "event" VALUES(6,1,2,3,'ben','2026-11-22T05:42:06+00:00','{"kind": "submit"}',NULL,NULL);
INSERT INTO "event" VALUES(7,1,3,1,'cem','2026-11-22T05:42:06+00:00','{"kind": "choose", "spans": [[0, 9]], "value": "PERSON 1"}',NULL,NULL);
INSERT INTO "event" VALUES(8,1,3,2,'cem','2026-11-22T05:42:06+00:00','{"kind": "choose", "spans": [[22, 32]], "value": "***"}',NULL,NULL);
INSERT INTO "event" VALUES(9,1,3,3,'cem','2026-11-22T05:42:06+00:00','{"kind": "submit"}',NULL,NULL);
CREATE TABLE project (
    flow TEXT NOT NULL,          -- tab or replacement
    created TEXT NOT NULL
);
INSERT INTO "project" VALUES('replacement','2026-11-22T05:42:06+00:00');
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('event',9);
COMMIT;
PRAGMA application_id = 0x7acf;
PRAGMA user_version = 1;
