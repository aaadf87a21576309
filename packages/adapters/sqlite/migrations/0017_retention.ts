/**
 * Adds the part of an email that is removed next and the start of its period, erasures of recipients, and the removal
 * of workspaces. Mail of earlier releases has no step until the sweep of intake gives it one.
 */
export const retention = `
ALTER TABLE emails ADD COLUMN purge_step TEXT;
ALTER TABLE emails ADD COLUMN purge_from INTEGER NOT NULL DEFAULT 0;
CREATE INDEX emails_purge ON emails (purge_step, purge_from);

CREATE TABLE erasures (
  id TEXT PRIMARY KEY,
  workspace TEXT NOT NULL,
  -- Null when it is done.
  next_at INTEGER,
  doc TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX erasures_due ON erasures (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX erasures_by_workspace ON erasures (workspace);

-- next_at is 0 until it was looked at.
CREATE TABLE removed_workspaces (id TEXT PRIMARY KEY, next_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX removed_workspaces_due ON removed_workspaces (next_at);

-- Set when the removal of a deleted workspace begins.
ALTER TABLE workspaces ADD COLUMN erasing INTEGER NOT NULL DEFAULT 0;
DROP TRIGGER audit_log_line_kept;
-- Only the lines of a workspace that is erased may be removed.
CREATE TRIGGER audit_log_line_kept BEFORE DELETE ON audit_log
WHEN old.workspace = '' OR EXISTS (SELECT 1 FROM workspaces WHERE id = old.workspace AND erasing = 0) BEGIN
  SELECT RAISE(ABORT, 'lines of the audit log are never removed');
END;
`
