ALTER TABLE doubt ADD COLUMN action TEXT NOT NULL DEFAULT '';
UPDATE document SET weighed = -1 WHERE status = 'ready';
