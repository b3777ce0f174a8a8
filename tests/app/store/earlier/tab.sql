BEGIN TRANSACTION;
CREATE TABLE annotator (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
INSERT INTO "annotator" VALUES(1,'ann');
INSERT INTO "annotator" VALUES(2,'ben');
CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    name BLOB NOT NULL UNIQUE,
    split TEXT NOT NULL,
    target TEXT NOT NULL,        -- JSON: names of the person to protect
    text BLOB NOT NULL,
    marks TEXT NOT NULL          -- JSON: what is marked before anybody begins
);
INSERT INTO "document" VALUES(1,X'3030312D31','dev','["Galip Yalman"]',X'4D722047616C69702059616C6D616E206C6976657320696E20416E6B6172612E0A0A3C7363726970743E616C6572742831293C2F7363726970743E2047616C69702059616C6D616E2C2061206A6F75726E616C6973742C2077617320696C6C206F6E2034204D617920313939392E0A','{"by": "", "items": []}');
INSERT INTO "document" VALUES(2,X'6E6F7465','','[]',X'416461204279726F6E206D65742042656E20436F6C6520696E20313939342E','{"by": "", "items": []}');
INSERT INTO "document" VALUES(3,X'6F646420EDA080','train','[]',X'7465787420EDA080206F6620416461','{"by": "", "items": []}');
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
INSERT INTO "event" VALUES(1,1,1,1,'ann','2026-11-22T05:42:06+00:00','{"kind": "add", "spans": [[25, 31]], "value": "LOC"}',NULL,NULL);
INSERT INTO "event" VALUES(2,1,1,2,'ann','2026-11-22T05:42:06+00:00','{"kind": "add", "spans": [[3, 15]], "value": "PERSON"}',NULL,NULL);
INSERT INTO "event" VALUES(3,1,1,3,'ann','2026-11-22T05:42:06+00:00','{"kind": "add", "spans": [[0, 2]], "value": "PERSON"}',NULL,NULL);
INSERT INTO "event" VALUES(4,1,1,4,'ann','2026-11-22T05:42:06+00:00','{"kind": "link", "spans": [[0, 2], [3, 15]]}',NULL,NULL);
INSERT INTO "event" VALUES(5,1,1,5,'ann','2026-11-22T05:42:06+00:00','{"kind": "identifier", "spans": [[3, 15], [0, 2]], "value": "DIRECT"}',NULL,NULL);
INSERT INTO "event" VALUES(6,1,1,6,'ann','2026-11-22T05:42:06+00:00','{"kind": "identifier", "spans": [[25, 31]], "value": "QUASI"}',NULL,NULL);
INSERT INTO "event" VALUES(7,1,1,7,'ann','2026-11-22T05:42:06+00:00','{"kind": "status", "spans": [[25, 31]], "value": "ETHNIC"}',NULL,NULL);
INSERT INTO "event" VALUES(8,1,1,8,'ann','2026-11-22T05:42:06+00:00','{"kind": "submit"}',NULL,NULL);
INSERT INTO "event" VALUES(9,1,2,1,'ben','2026-11-22T05:42:06+00:00','{"kind": "add", "spans": [[25, 31]], "value": "ORG"}',NULL,NULL);
INSERT INTO "event" VALUES(10,1,2,2,'ben','2026-11-22T05:42:06+00:00','{"kind": "add", "spans": [[3, 15]], "value": "PERSON"}',NULL,NULL);
INSERT INTO "event" VALUES(11,1,2,3,'ben','2026-11-22T05:42:06+00:00','{"kind": "add", "spans": [[0, 2]], "value": "PERSON"}',NULL,NULL);
INSERT INTO "event" VALUES(12,1,2,4,'ben','2026-11-22T05:42:06+00:00','{"kind": "link", "spans": [[0, 2], [3, 15]]}',NULL,NULL);
INSERT INTO "event" VALUES(13,1,2,5,'ben','2026-11-22T05:42:06+00:00','{"kind": "identifier", "spans": [[3, 15], [0, 2]], "value": "DIRECT"}',NULL,NULL);
INSERT INTO "event" VALUES(14,1,2,6,'ben','2026-11-22T05:42:06+00:00','{"kind": "status", "spans": [[3, 15]], "value": "SEX"}',NULL,NULL);
INSERT INTO "event" VALUES(15,1,2,7,'ben','2026-11-22T05:42:06+00:00',NULL,14,NULL);
INSERT INTO "event" VALUES(16,1,2,8,'ben','2026-11-22T05:42:06+00:00',NULL,NULL,14);
INSERT INTO "event" VALUES(17,1,2,9,'ben','2026-11-22T05:42:06+00:00',NULL,14,NULL);
INSERT INTO "event" VALUES(18,1,2,10,'ben','2026-11-22T05:42:06+00:00','{"kind": "identifier", "spans": [[25, 31]], "value": "NO_MASK"}',NULL,NULL);
INSERT INTO "event" VALUES(19,1,2,11,'ben','2026-11-22T05:42:06+00:00','{"kind": "status", "spans": [[25, 31]], "value": "ETHNIC"}',NULL,NULL);
INSERT INTO "event" VALUES(20,1,2,12,'ben','2026-11-22T05:42:06+00:00','{"kind": "submit"}',NULL,NULL);
INSERT INTO "event" VALUES(21,1,2,13,'ann','2026-11-22T05:42:06+00:00','{"kind": "check", "value": "protected", "seen": "787b840cf2f8102d"}',NULL,NULL);
INSERT INTO "event" VALUES(22,1,1,9,'ben','2026-11-22T05:42:06+00:00','{"kind": "check", "value": "exposed", "note": "name", "seen": "993538466e6a90b9"}',NULL,NULL);
INSERT INTO "event" VALUES(23,3,1,1,'ann','2026-11-22T05:42:06+00:00','{"kind": "submit"}',NULL,NULL);
INSERT INTO "event" VALUES(24,2,1,1,'ann','2026-11-22T05:42:06+00:00','{"kind": "add", "spans": [[0, 9]], "value": "PERSON"}',NULL,NULL);
CREATE TABLE project (
    flow TEXT NOT NULL,          -- tab or replacement
    created TEXT NOT NULL
);
INSERT INTO "project" VALUES('tab','2026-11-22T05:42:06+00:00');
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('event',24);
COMMIT;
PRAGMA application_id = 0x7acf;
PRAGMA user_version = 1;
