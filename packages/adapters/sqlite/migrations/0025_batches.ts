/**
 * Batches. The emails of a batch that is not accepted are here, and their content is in `content_parts`; one
 * transaction moves all of them into `emails`.
 */
export const batches = `
CREATE TABLE batches (
  id TEXT PRIMARY KEY,
  workspace TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- open, accepted, void, or cleared: void and without emails
  state TEXT NOT NULL,
  -- When the sweep has something to do: to make it void, to remove its emails, or to forget it.
  due_at INTEGER NOT NULL,
  -- The emails: numbers, ids, sizes.
  items TEXT NOT NULL,
  results TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX batches_due ON batches (due_at);
CREATE INDEX batches_by_workspace ON batches (workspace);

CREATE TABLE batch_emails (
  batch TEXT NOT NULL REFERENCES batches ON DELETE CASCADE,
  number INTEGER NOT NULL,
  doc TEXT NOT NULL,
  -- The content without its bytes.
  content TEXT NOT NULL,
  parts INTEGER NOT NULL,
  layout TEXT NOT NULL,
  PRIMARY KEY (batch, number)
) STRICT, WITHOUT ROWID;
`
