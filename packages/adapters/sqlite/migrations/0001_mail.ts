export const mail = `
-- The record is the queue. A void id is a row without a workspace: it only keeps an email from coming under that id.
CREATE TABLE emails (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  workspace TEXT NOT NULL,
  mode TEXT NOT NULL,
  lane TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  status TEXT NOT NULL,
  next_at INTEGER,
  lease_until INTEGER,
  -- When a claim may take it: null where nobody waits, or a person decides.
  due_at INTEGER GENERATED ALWAYS AS (max(next_at, coalesce(lease_until, 0))) STORED,
  fence INTEGER NOT NULL DEFAULT 0,
  deaths INTEGER NOT NULL DEFAULT 0,
  owing INTEGER NOT NULL,
  doc TEXT NOT NULL
) STRICT;
-- lease_until is in it so that the start finds dead leases without reading the rows.
CREATE INDEX emails_due ON emails (lane, due_at, lease_until) WHERE due_at IS NOT NULL;
CREATE INDEX emails_by_workspace ON emails (workspace, created_at);
CREATE INDEX emails_owing ON emails (owing) WHERE owing = 1;

-- Apart from the record, so that claims and outcomes never rewrite a body.
CREATE TABLE contents (
  seq INTEGER PRIMARY KEY REFERENCES emails ON DELETE CASCADE,
  html TEXT,
  text TEXT,
  headers TEXT NOT NULL
) STRICT;
CREATE TABLE attachments (
  seq INTEGER NOT NULL REFERENCES emails ON DELETE CASCADE,
  number INTEGER NOT NULL,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  content_id TEXT,
  content BLOB NOT NULL,
  UNIQUE (seq, number)
) STRICT;

-- expires_at is null while the first request runs.
CREATE TABLE idempotency_keys (
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint BLOB NOT NULL,
  email_id TEXT NOT NULL,
  accepted_at INTEGER NOT NULL,
  lease_until INTEGER NOT NULL,
  status INTEGER,
  body TEXT,
  expires_at INTEGER,
  UNIQUE (scope, key)
) STRICT;
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);

-- Only ever added to. kind: reserve, release (one recipient), void (a reservation whose email never came).
CREATE TABLE ledger_lines (
  id TEXT NOT NULL PRIMARY KEY,
  workspace TEXT NOT NULL,
  day TEXT NOT NULL,
  kind TEXT NOT NULL,
  sends INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_lines_by_day ON ledger_lines (workspace, day);
-- Derived from the lines, in the same transaction. period: a month YYYY-MM, or a day YYYY-MM-DD.
CREATE TABLE ledger_totals (
  workspace TEXT NOT NULL,
  period TEXT NOT NULL,
  sends INTEGER NOT NULL,
  PRIMARY KEY (workspace, period)
) STRICT, WITHOUT ROWID;
-- Reservations not committed yet; what a crash leaves here is settled later.
CREATE TABLE ledger_pending (
  id TEXT NOT NULL PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE allowances (
  workspace TEXT NOT NULL PRIMARY KEY,
  doc TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE templates (
  id TEXT NOT NULL PRIMARY KEY,
  workspace TEXT NOT NULL,
  name TEXT NOT NULL,
  newest INTEGER NOT NULL,
  UNIQUE (workspace, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX templates_by_workspace ON templates (workspace, id);
CREATE TABLE template_versions (
  template TEXT NOT NULL REFERENCES templates ON DELETE CASCADE,
  version INTEGER NOT NULL,
  doc TEXT NOT NULL,
  UNIQUE (template, version)
) STRICT;

CREATE TABLE captured_mail (
  seq INTEGER PRIMARY KEY,
  attempt_id TEXT NOT NULL UNIQUE,
  workspace TEXT NOT NULL,
  doc TEXT NOT NULL
) STRICT;
CREATE INDEX captured_mail_by_workspace ON captured_mail (workspace);

CREATE TABLE audit_log (
  seq INTEGER PRIMARY KEY,
  workspace TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX audit_log_by_workspace ON audit_log (workspace);
`
