/** Users, memberships, sessions, workspaces and API keys. Times are milliseconds since the epoch. */
export const accounts = `
CREATE TABLE workspaces (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  plan TEXT NOT NULL,
  sender_name TEXT NOT NULL,
  postal_address TEXT NOT NULL,
  on_unknown TEXT NOT NULL,
  retention TEXT NOT NULL,
  spending_cap_usd REAL,
  suspended INTEGER NOT NULL,
  note TEXT NOT NULL,
  rate REAL,
  burst INTEGER,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE memberships (
  user TEXT NOT NULL REFERENCES users (id),
  workspace TEXT NOT NULL REFERENCES workspaces (id),
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user, workspace)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  hash BLOB PRIMARY KEY,
  user TEXT NOT NULL,
  workspace TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_seen ON sessions (seen_at);
CREATE INDEX sessions_by_created ON sessions (created_at);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  workspace TEXT NOT NULL REFERENCES workspaces (id),
  hash BLOB NOT NULL UNIQUE,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  mode TEXT NOT NULL,
  prefix TEXT NOT NULL,
  last_four TEXT NOT NULL,
  domains TEXT NOT NULL,
  networks TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX api_keys_by_workspace ON api_keys (workspace, revoked_at IS NOT NULL, id);
`
