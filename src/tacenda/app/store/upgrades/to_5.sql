ALTER TABLE file ADD COLUMN columns TEXT NOT NULL DEFAULT '[]';
ALTER TABLE project ADD COLUMN four_eyes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE project ADD COLUMN webhook TEXT NOT NULL DEFAULT '';
ALTER TABLE member ADD COLUMN role TEXT NOT NULL DEFAULT 'reviewer';
ALTER TABLE document ADD COLUMN assignee TEXT NOT NULL DEFAULT '';
UPDATE document SET summary = json_set(summary, '$.stage', 'reviewed') WHERE json_extract(summary, '$.done');
CREATE TABLE release (id INTEGER PRIMARY KEY, project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE, at TEXT NOT NULL, person TEXT NOT NULL, documents INTEGER NOT NULL, digest TEXT NOT NULL, content BLOB NOT NULL);
CREATE INDEX release_of_project ON release (project, id);
CREATE TABLE delivery (id INTEGER PRIMARY KEY, url TEXT NOT NULL, body TEXT NOT NULL, due REAL NOT NULL, attempts INTEGER NOT NULL DEFAULT 0);
