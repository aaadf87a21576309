/**
 * Users who are marked as operators, the second factor that a session passed, and the user of an audit entry whose
 * actor is the operator. The trigger is that of 0020 with the new column.
 */
export const operators = `
ALTER TABLE users ADD COLUMN operator_since INTEGER;
CREATE INDEX users_operators ON users (id) WHERE operator_since IS NOT NULL;
ALTER TABLE sessions ADD COLUMN totp_enabled_at INTEGER;
ALTER TABLE audit_log ADD COLUMN operator TEXT;
DROP TRIGGER audit_log_line_unchanged;
CREATE TRIGGER audit_log_line_unchanged BEFORE UPDATE ON audit_log
WHEN (new.seq, new.id, new.workspace, new.at, new.actor, new.operator, new.client_address, new.action, new.target)
  IS NOT (old.seq, old.id, old.workspace, old.at, old.actor, old.operator, old.client_address, old.action, old.target)
  OR new.redactions IS NULL OR new.redactions IS old.redactions
  OR NOT EXISTS (
    SELECT 1 FROM erasures WHERE id = json_extract(new.redactions, '$[#-1].erasure')
    AND workspace = old.workspace AND next_at IS NOT NULL
  )
BEGIN
  SELECT RAISE(ABORT, 'lines of the audit log are never changed');
END;
`
