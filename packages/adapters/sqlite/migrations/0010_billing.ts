/** Stores billing: the state of each workspace, lines, invoices, events of the payment provider, and a lease. */
export const billing = `
-- doc is null until the workspace is billed for the first time.
CREATE TABLE billing_accounts (
  workspace TEXT NOT NULL PRIMARY KEY,
  rev INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  doc TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX billing_accounts_due ON billing_accounts (due_at);
INSERT INTO billing_accounts
  SELECT workspace, 0, 0, NULL FROM allowances WHERE json_extract(doc, '$.plan') <> 'free';

-- Only ever added to.
CREATE TABLE billing_lines (
  id TEXT NOT NULL PRIMARY KEY,
  workspace TEXT NOT NULL,
  month TEXT NOT NULL,
  doc TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX billing_lines_by_workspace ON billing_lines (workspace, month);

CREATE TABLE invoices (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  workspace TEXT NOT NULL,
  month TEXT NOT NULL,
  status TEXT NOT NULL,
  doc TEXT NOT NULL
) STRICT;
CREATE INDEX invoices_by_workspace ON invoices (workspace, seq);

CREATE TABLE payment_events (id TEXT NOT NULL PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE billing_lease (id INTEGER PRIMARY KEY CHECK (id = 1), holder TEXT NOT NULL, until INTEGER NOT NULL) STRICT;
`
