/** Reasons of suspensions, scheduled deletions of workspaces, and disabled users. */
export const operator = `
ALTER TABLE workspaces ADD COLUMN suspended_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE workspaces ADD COLUMN deletes_at INTEGER;
ALTER TABLE workspaces ADD COLUMN resumes_on_restore INTEGER NOT NULL DEFAULT 0;
CREATE INDEX workspaces_to_delete ON workspaces (deletes_at) WHERE deletes_at IS NOT NULL;
ALTER TABLE users ADD COLUMN disabled_at INTEGER;
ALTER TABLE users ADD COLUMN disabled_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE users ADD COLUMN last_seen_at INTEGER;
CREATE INDEX memberships_by_workspace ON memberships (workspace);
`
