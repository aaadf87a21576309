/** Stores one-time links: the SHA-256 of each token. Times are milliseconds since the epoch. */
export const links = `
CREATE TABLE links (
  hash BLOB PRIMARY KEY,
  purpose TEXT NOT NULL,
  subject TEXT NOT NULL,
  address TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_subject ON links (purpose, subject);
CREATE INDEX links_by_expiry ON links (expires_at);
`
