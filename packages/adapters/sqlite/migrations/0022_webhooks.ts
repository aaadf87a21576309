/** Stores the endpoints of workspaces, what is sent to them, and replays. */
export const webhooks = `
CREATE TABLE webhook_endpoints (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  workspace TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  failing INTEGER NOT NULL,
  has_notices INTEGER NOT NULL,
  rev INTEGER NOT NULL DEFAULT 0,
  cursor TEXT,
  scan_at INTEGER NOT NULL,
  lease_until INTEGER NOT NULL DEFAULT 0,
  fence INTEGER NOT NULL DEFAULT 0,
  doc TEXT NOT NULL
) STRICT;
CREATE INDEX webhook_endpoints_by_workspace ON webhook_endpoints (workspace, id);
CREATE INDEX webhook_endpoints_enabled ON webhook_endpoints (workspace) WHERE enabled = 1;
CREATE INDEX webhook_endpoints_scans ON webhook_endpoints (scan_at, lease_until) WHERE enabled = 1;
CREATE INDEX webhook_endpoints_notices ON webhook_endpoints (id) WHERE has_notices = 1;

CREATE TABLE webhook_deliveries (
  seq INTEGER PRIMARY KEY,
  -- It sorts by the time of the event.
  id TEXT NOT NULL UNIQUE,
  endpoint TEXT NOT NULL,
  workspace TEXT NOT NULL,
  status TEXT NOT NULL,
  -- When it may be claimed: at its next attempt, or when its lease ends. NULL: it has ended.
  due_at INTEGER,
  -- 0: no lease.
  lease_until INTEGER NOT NULL,
  fence INTEGER NOT NULL,
  doc TEXT NOT NULL
) STRICT;
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint, due_at, workspace) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (lease_until) WHERE lease_until > 0;
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint, status, id);

CREATE TABLE webhook_replays (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  endpoint TEXT NOT NULL,
  workspace TEXT NOT NULL,
  due_at INTEGER,
  fence INTEGER NOT NULL DEFAULT 0,
  doc TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX webhook_replays_running ON webhook_replays (endpoint) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_replays_due ON webhook_replays (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_replays_by_endpoint ON webhook_replays (endpoint, id);
`
