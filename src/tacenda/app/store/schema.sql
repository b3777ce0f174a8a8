-- The tables.

CREATE TABLE project (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    created TEXT NOT NULL,
    purpose TEXT NOT NULL,       -- review, job of the REST API, or annotation
    policy TEXT NOT NULL,        -- JSON; never a key
    threshold REAL NOT NULL,     -- where the policy has none
    digest BLOB NOT NULL,        -- of all documents: the same files open the same project
    policy_name TEXT NOT NULL DEFAULT '',
    background TEXT NOT NULL DEFAULT '',  -- path of what an adversary could know; often none
    handle TEXT NOT NULL DEFAULT '',      -- unguessable: what addresses name it by
    owner TEXT NOT NULL DEFAULT 'local',  -- name of the key that made it
    turn INTEGER NOT NULL DEFAULT 0,      -- when documents of it were last taken to be analysed
    finished REAL,                        -- seconds since 1970: when the last one was; else null
    flow TEXT NOT NULL DEFAULT '',        -- of an annotation: tab or replacement
    review INTEGER REFERENCES project ON DELETE CASCADE, -- whose documents are annotated; often null
    four_eyes INTEGER NOT NULL DEFAULT 0, -- whether a second person approves what is released
    webhook TEXT NOT NULL DEFAULT '',   -- the address to tell when it is done; often none
    secret TEXT NOT NULL DEFAULT '',    -- with which what it is told is signed
    linked INTEGER NOT NULL DEFAULT 0     -- whether a person has the same tag in all documents
);
CREATE TABLE identity (
    project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
    type TEXT NOT NULL,          -- semantic type
    key TEXT NOT NULL,           -- tells who or what it is in all documents; see link/across.py
    number INTEGER NOT NULL,     -- in the tags of its type; never another one's
    made_up TEXT NOT NULL DEFAULT '',     -- JSON: the made-up person; empty for none
    PRIMARY KEY (project, type, key)
);
CREATE UNIQUE INDEX identity_by_number ON identity (project, type, number);
CREATE UNIQUE INDEX project_by_handle ON project (handle);
CREATE INDEX project_of_owner ON project (owner);
CREATE TABLE member (
    project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
    name TEXT NOT NULL,                   -- of a key that may work with the project too
    place INTEGER NOT NULL DEFAULT 0,     -- of an annotator: in which order they joined, from 1
    role TEXT NOT NULL DEFAULT 'reviewer',  -- reviewer, approver or owner
    PRIMARY KEY (project, name)
);
CREATE TABLE file (
    id INTEGER PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
    name TEXT NOT NULL,
    format TEXT NOT NULL,
    encoding TEXT NOT NULL,
    content BLOB NOT NULL,       -- the original, byte for byte
    columns TEXT NOT NULL        -- JSON: those with text, none for the usual one; those to keep
);
CREATE INDEX file_of_project ON file (project, id);
CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
    name TEXT NOT NULL,
    format TEXT NOT NULL,
    declared INTEGER NOT NULL,   -- whether the data itself names the document
    target TEXT NOT NULL,        -- JSON: names of the person to protect
    text BLOB NOT NULL,
    status TEXT NOT NULL,        -- waiting, ready, failed
    error TEXT NOT NULL DEFAULT '',
    analysis TEXT,               -- JSON: the mentions that were found
    summary TEXT,                -- JSON: what lists show of it
    revision INTEGER NOT NULL DEFAULT 0,
    file INTEGER REFERENCES file,        -- null where it came as text, not in a file
    notes TEXT NOT NULL DEFAULT '[]',    -- JSON: what to know of how the file was read
    person TEXT NOT NULL DEFAULT '',     -- whom it is about; see Document
    model TEXT NOT NULL DEFAULT 'null',  -- JSON: what recognized, by name and digests
    handle TEXT NOT NULL DEFAULT '',     -- unguessable: what addresses name it by
    claimant TEXT NOT NULL DEFAULT '',   -- the process that analyses it
    claimed REAL NOT NULL DEFAULT 0,     -- seconds since 1970 until which that holds
    split TEXT NOT NULL DEFAULT '',      -- dataset_type of TAB
    marks TEXT,                          -- JSON: what is marked before anybody annotates
    assignee TEXT NOT NULL DEFAULT '',   -- name of the key of who should review it
    version INTEGER NOT NULL DEFAULT 0,  -- grows in a project with each change that its list shows
    done INTEGER NOT NULL DEFAULT 0,     -- as in its summary
    language TEXT NOT NULL DEFAULT ''    -- ISO 639-1 code that a user stated; empty where guessed
);
CREATE UNIQUE INDEX document_by_handle ON document (handle);
CREATE INDEX document_waiting ON document (project, id) WHERE status = 'waiting';
CREATE INDEX document_of_project ON document (project, id);
CREATE INDEX document_by_name ON document (project, name);
CREATE INDEX document_by_status ON document (status, id);
CREATE INDEX document_counted ON document (project, status, done);
CREATE INDEX document_by_version ON document (project, version);
CREATE TABLE beside (
    document INTEGER PRIMARY KEY REFERENCES document ON DELETE CASCADE,
    project INTEGER NOT NULL,
    revision INTEGER NOT NULL,   -- of the document, at which its file was looked at
    fault TEXT NOT NULL          -- why it can't be; often none
);
CREATE INDEX beside_of_project ON beside (project, document);
CREATE TABLE part (
    document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
    number INTEGER NOT NULL,     -- in its document
    project INTEGER NOT NULL,
    key TEXT NOT NULL,           -- digest of its content
    kind TEXT NOT NULL,
    place TEXT NOT NULL,
    text TEXT NOT NULL,          -- of a comment or hidden text, as it would leave
    media_type TEXT NOT NULL,    -- of a picture
    treatments TEXT NOT NULL,    -- JSON: what can become of it
    decision TEXT NOT NULL,      -- JSON: what somebody decided; empty without
    PRIMARY KEY (document, number)
);
CREATE INDEX part_of_project ON part (project, decision != '', document, number);
CREATE TABLE doubt (
    id INTEGER PRIMARY KEY,
    project INTEGER NOT NULL,
    document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
    type TEXT NOT NULL,          -- semantic type of an entity that needs a person
    name TEXT NOT NULL,          -- its label, normalised
    label TEXT NOT NULL,         -- its longest mention
    begin INTEGER NOT NULL,      -- of its first mention
    stop INTEGER NOT NULL,
    verdict TEXT NOT NULL,       -- what becomes of it, in a word
    risk REAL NOT NULL,
    weight REAL NOT NULL,        -- uncertainty in bits times number of mentions
    count INTEGER NOT NULL,      -- number of mentions
    action TEXT NOT NULL DEFAULT ''      -- what a person decided; empty while it needs a decision
);
CREATE INDEX doubt_of_document ON doubt (document);
CREATE INDEX doubt_by_name ON doubt (project, type, name, document);
CREATE TABLE log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE,
    person TEXT NOT NULL,
    at TEXT NOT NULL,
    batch TEXT NOT NULL DEFAULT '',
    event TEXT,                  -- JSON; null for undo and redo
    undoes INTEGER REFERENCES log,
    redoes INTEGER REFERENCES log,
    annotator TEXT NOT NULL DEFAULT ''   -- whose annotation it is of; empty in a review
);
CREATE INDEX log_of_stream ON log (document, annotator, id);
CREATE TABLE release (
    id INTEGER PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
    at TEXT NOT NULL,
    person TEXT NOT NULL,
    documents INTEGER NOT NULL,  -- how many
    digest TEXT NOT NULL,        -- SHA-256 of the archive
    content BLOB NOT NULL,       -- the archive
    record BLOB NOT NULL         -- the archive of its record, which is private
);
CREATE INDEX release_of_project ON release (project, id);
CREATE TABLE term (
    id INTEGER PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
    string TEXT NOT NULL,        -- a name, as it stands in a document
    type TEXT NOT NULL,          -- semantic type
    action TEXT NOT NULL,        -- keep, mask or generalise: in all documents of the project
    person TEXT NOT NULL,
    at TEXT NOT NULL,
    batch TEXT NOT NULL,         -- of the log: what was done for it
    withdrawn_by TEXT NOT NULL DEFAULT '',
    withdrawn_at TEXT NOT NULL DEFAULT ''
);
CREATE INDEX term_of_project ON term (project, id);
CREATE TABLE delivery (
    id INTEGER PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
    handle TEXT NOT NULL,        -- the same for all attempts, so that a receiver knows a repetition
    url TEXT NOT NULL,           -- whom a webhook tells
    secret TEXT NOT NULL,
    event TEXT NOT NULL,
    body TEXT NOT NULL,          -- JSON without text of a document
    at TEXT NOT NULL,            -- when it happened
    due REAL NOT NULL,           -- seconds since 1970 of the next attempt
    attempts INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'waiting',  -- waiting, delivered or failed
    outcome TEXT NOT NULL DEFAULT ''        -- of the last attempt, in words
);
CREATE INDEX delivery_of_project ON delivery (project, id);
CREATE INDEX delivery_due ON delivery (due) WHERE state = 'waiting';
CREATE TABLE access (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    person TEXT NOT NULL,        -- name of the key
    action TEXT NOT NULL,        -- method and address without ids
    object TEXT NOT NULL         -- handle of a project or document; it may be gone
);
CREATE TRIGGER access_stays_as_written BEFORE UPDATE ON access
    BEGIN SELECT RAISE(ABORT, 'the access log only grows'); END;
CREATE TRIGGER access_is_never_shortened BEFORE DELETE ON access
    BEGIN SELECT RAISE(ABORT, 'the access log only grows'); END;
