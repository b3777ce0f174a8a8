ALTER TABLE project ADD COLUMN secret TEXT NOT NULL DEFAULT '';
-- Nothing wrote to it before.
DROP TABLE delivery;
CREATE TABLE delivery (id INTEGER PRIMARY KEY, project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE, handle TEXT NOT NULL, url TEXT NOT NULL, secret TEXT NOT NULL, event TEXT NOT NULL, body TEXT NOT NULL, at TEXT NOT NULL, due REAL NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL DEFAULT 'waiting', outcome TEXT NOT NULL DEFAULT '');
CREATE INDEX delivery_of_project ON delivery (project, id);
CREATE INDEX delivery_due ON delivery (due) WHERE state = 'waiting';
