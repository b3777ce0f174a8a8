ALTER TABLE project ADD COLUMN linked INTEGER NOT NULL DEFAULT 0;
CREATE TABLE identity (
    project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
    type TEXT NOT NULL,
    key TEXT NOT NULL,
    number INTEGER NOT NULL,
    made_up TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (project, type, key)
);
CREATE UNIQUE INDEX identity_by_number ON identity (project, type, number);
