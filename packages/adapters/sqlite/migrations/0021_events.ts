/**
 * The feed of events. `events` is an index of those in the records of emails, by which they are found in the order of
 * their time; a write of a record adds its new ones. `workspace_events` has those without an email.
 */
export const events = `
CREATE TABLE events (
  workspace TEXT NOT NULL,
  mode TEXT NOT NULL,
  at INTEGER NOT NULL,
  id TEXT NOT NULL,
  -- emails.id
  email TEXT NOT NULL,
  PRIMARY KEY (workspace, mode, at, id)
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO events (workspace, mode, at, id, email)
SELECT workspace, mode, event.value ->> 'at' AS at, event.value ->> 'id' AS id, emails.id
FROM emails, json_each(iif(emails.workspace = '', '{}', emails.doc), '$.events') AS event
ORDER BY 1, 2, 3, 4;

CREATE TABLE workspace_events (
  id TEXT PRIMARY KEY,
  workspace TEXT NOT NULL,
  mode TEXT NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX workspace_events_by_time ON workspace_events (workspace, mode, at, id);
-- For removal by age.
CREATE INDEX workspace_events_at ON workspace_events (at);
`
