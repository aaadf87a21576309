/**
 * Audit entries from which an erased person's address was removed. Nothing else of an entry ever changes, and only
 * while the last erasure that it names runs in its workspace.
 */
export const redactions = `
ALTER TABLE audit_log ADD COLUMN redactions TEXT;
DROP TRIGGER audit_log_line_unchanged;
CREATE TRIGGER audit_log_line_unchanged BEFORE UPDATE ON audit_log
WHEN (new.seq, new.id, new.workspace, new.at, new.actor, new.client_address, new.action, new.target)
  IS NOT (old.seq, old.id, old.workspace, old.at, old.actor, old.client_address, old.action, old.target)
  OR new.redactions IS NULL OR new.redactions IS old.redactions
  OR NOT EXISTS (
    SELECT 1 FROM erasures WHERE id = json_extract(new.redactions, '$[#-1].erasure')
    AND workspace = old.workspace AND next_at IS NOT NULL
  )
BEGIN
  SELECT RAISE(ABORT, 'lines of the audit log are never changed');
END;
`
