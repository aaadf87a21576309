/** Events that are mailed to members, what members chose, known devices, and outcomes by the hour for reputations. */
export const notifications = `
ALTER TABLE workspace_events ADD COLUMN noticed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX workspace_events_unnoticed ON workspace_events (at) WHERE noticed = 0;

-- Thresholds of quotas that were reached. Rows of earlier months are removed with the first one of a month.
CREATE TABLE quota_marks (
  workspace TEXT NOT NULL,
  month TEXT NOT NULL,
  mark TEXT NOT NULL,
  PRIMARY KEY (workspace, month, mark)
) STRICT, WITHOUT ROWID;

CREATE TABLE notification_groups (
  key TEXT PRIMARY KEY,
  workspace TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  version INTEGER NOT NULL,
  doc TEXT NOT NULL
) STRICT;
CREATE INDEX notification_groups_due ON notification_groups (due_at);

CREATE TABLE notification_preferences (
  workspace TEXT NOT NULL,
  user TEXT NOT NULL,
  doc TEXT NOT NULL,
  PRIMARY KEY (workspace, user)
) STRICT, WITHOUT ROWID;

CREATE TABLE known_devices (
  user TEXT NOT NULL,
  device TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (user, device)
) STRICT, WITHOUT ROWID;
CREATE INDEX known_devices_seen ON known_devices (seen_at);

CREATE TABLE outcome_hours (
  workspace TEXT NOT NULL,
  hour INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  bounced INTEGER NOT NULL,
  complained INTEGER NOT NULL,
  PRIMARY KEY (workspace, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX outcome_hours_by_hour ON outcome_hours (hour);

CREATE TABLE reputations (
  workspace TEXT PRIMARY KEY,
  raised INTEGER NOT NULL,
  version INTEGER NOT NULL,
  doc TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX reputations_raised ON reputations (workspace) WHERE raised = 1;
`
