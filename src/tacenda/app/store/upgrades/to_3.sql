ALTER TABLE project ADD COLUMN handle TEXT NOT NULL DEFAULT '';
ALTER TABLE project ADD COLUMN owner TEXT NOT NULL DEFAULT 'local';
ALTER TABLE project ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;
ALTER TABLE project ADD COLUMN finished REAL;
UPDATE project SET handle = new_handle();
CREATE UNIQUE INDEX project_by_handle ON project (handle);
CREATE INDEX project_of_owner ON project (owner);
CREATE TABLE member (project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE, name TEXT NOT NULL, PRIMARY KEY (project, name));
ALTER TABLE document ADD COLUMN handle TEXT NOT NULL DEFAULT '';
ALTER TABLE document ADD COLUMN claimant TEXT NOT NULL DEFAULT '';
ALTER TABLE document ADD COLUMN claimed REAL NOT NULL DEFAULT 0;
UPDATE document SET handle = new_handle();
CREATE UNIQUE INDEX document_by_handle ON document (handle);
CREATE INDEX document_waiting ON document (project, id) WHERE status = 'waiting';
-- From now on, finished jobs are kept for some time only.
UPDATE project SET finished = strftime('%s', 'now') WHERE id NOT IN (SELECT project FROM document WHERE status = 'waiting');
CREATE TABLE access (id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, person TEXT NOT NULL, action TEXT NOT NULL, object TEXT NOT NULL);
CREATE TRIGGER access_stays_as_written BEFORE UPDATE ON access BEGIN SELECT RAISE(ABORT, 'the access log only grows'); END;
CREATE TRIGGER access_is_never_shortened BEFORE DELETE ON access BEGIN SELECT RAISE(ABORT, 'the access log only grows'); END;
