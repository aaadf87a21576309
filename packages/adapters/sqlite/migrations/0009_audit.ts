/**
 * Audit entries with an id, the client's address, and the values before and after. Entries of earlier releases have
 * their change in `detail` and get an id from their number. No generated id is equal to it: those begin with the time.
 */
export const audit = `
ALTER TABLE audit_log ADD COLUMN id TEXT;
ALTER TABLE audit_log ADD COLUMN client_address TEXT NOT NULL DEFAULT '';
ALTER TABLE audit_log ADD COLUMN state_before TEXT;
ALTER TABLE audit_log ADD COLUMN state_after TEXT;
UPDATE audit_log SET id = 'aud_' || printf('%026d', seq), state_after = nullif(detail, '{}');

DROP INDEX audit_log_by_workspace;
CREATE UNIQUE INDEX audit_log_by_id ON audit_log (id);
CREATE INDEX audit_log_by_time ON audit_log (at, id);
CREATE INDEX audit_log_by_workspace ON audit_log (workspace, at, id);
CREATE INDEX audit_log_by_actor ON audit_log (workspace, actor, at, id);
CREATE INDEX audit_log_by_action ON audit_log (workspace, action, at, id);

CREATE TRIGGER audit_log_line_unchanged BEFORE UPDATE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'lines of the audit log are never changed');
END;
-- Only the lines of a workspace that is erased may be removed.
CREATE TRIGGER audit_log_line_kept BEFORE DELETE ON audit_log
WHEN old.workspace = '' OR EXISTS (SELECT 1 FROM workspaces WHERE id = old.workspace) BEGIN
  SELECT RAISE(ABORT, 'lines of the audit log are never removed');
END;
`
