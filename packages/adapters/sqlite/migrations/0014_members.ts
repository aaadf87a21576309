/**
 * Invitations; `people_version` counts changes of a workspace's members and invitations. `csrf_salt` changes when a
 * session moves to another workspace.
 */
export const members = `
ALTER TABLE workspaces ADD COLUMN people_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN csrf_salt TEXT NOT NULL DEFAULT '';
CREATE INDEX sessions_by_user ON sessions (user, workspace);
CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  workspace TEXT NOT NULL REFERENCES workspaces (id),
  email TEXT NOT NULL,
  role TEXT NOT NULL,
  invited_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  sent_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX invitations_by_workspace ON invitations (workspace);
`
