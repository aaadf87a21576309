/**
 * Finds suspended workspaces, and their mail that was set aside. Counts waiting mail by workspace from an index in the
 * order of `seq`, so that a count can proceed in steps: new mail is added at its end.
 */
export const queueShares = `
ALTER TABLE emails ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE emails ADD COLUMN suspended INTEGER NOT NULL DEFAULT 0;
UPDATE emails SET bytes = coalesce(json_extract(doc, '$.messageBytes'), 0) WHERE due_at IS NOT NULL;
CREATE INDEX emails_waiting ON emails (lane, seq, workspace, mode, status, bytes) WHERE next_at IS NOT NULL;
CREATE INDEX emails_suspended ON emails (workspace) WHERE suspended = 1;
CREATE INDEX workspaces_suspended ON workspaces (id) WHERE suspended = 1;
`
