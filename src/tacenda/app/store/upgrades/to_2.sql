ALTER TABLE project ADD COLUMN policy_name TEXT NOT NULL DEFAULT '';
ALTER TABLE project ADD COLUMN background TEXT NOT NULL DEFAULT '';
CREATE TABLE file (id INTEGER PRIMARY KEY, project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE, name TEXT NOT NULL, format TEXT NOT NULL, encoding TEXT NOT NULL, content BLOB NOT NULL);
CREATE INDEX file_of_project ON file (project, id);
ALTER TABLE document ADD COLUMN file INTEGER REFERENCES file;
ALTER TABLE document ADD COLUMN notes TEXT NOT NULL DEFAULT '[]';
ALTER TABLE document ADD COLUMN person TEXT NOT NULL DEFAULT '';
ALTER TABLE document ADD COLUMN model TEXT NOT NULL DEFAULT 'null';
-- Which model ran was not written down then.
UPDATE document SET model = '{"name": "unknown", "files": {}}' WHERE status = 'ready';
