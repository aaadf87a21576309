const kind = (row: 'NEW' | 'OLD'): string =>
  `CASE WHEN ${row}.mode = 'test' THEN 'test' WHEN ${row}.status = 'scheduled' THEN 'scheduled' ELSE 'due' END`

const key = (row: 'NEW' | 'OLD'): string => `${row}.workspace, ${row}.lane, ${kind(row)}`

const add = `
  INSERT INTO queue_counts VALUES (${key('NEW')}, 1, NEW.bytes)
  ON CONFLICT DO UPDATE SET emails = emails + 1, bytes = bytes + excluded.bytes;`

const subtract = `
  UPDATE queue_counts SET emails = emails - 1, bytes = bytes - OLD.bytes WHERE (workspace, lane, kind) = (${key('OLD')});
  DELETE FROM queue_counts WHERE (workspace, lane, kind) = (${key('OLD')}) AND emails = 0;`

/**
 * Counts waiting mail by workspace. The counts change in the transaction that changes the mail, so no recount is needed.
 * Marks mail that was set aside because its workspace is suspended, and finds suspended workspaces.
 */
export const queueShares = `
ALTER TABLE emails ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE emails ADD COLUMN suspended INTEGER NOT NULL DEFAULT 0;
CREATE INDEX emails_suspended ON emails (workspace) WHERE suspended = 1;
CREATE INDEX workspaces_suspended ON workspaces (id) WHERE suspended = 1;

CREATE TABLE queue_counts (
  workspace TEXT NOT NULL,
  lane TEXT NOT NULL,
  kind TEXT NOT NULL,
  emails INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (workspace, lane, kind)
) STRICT, WITHOUT ROWID;

UPDATE emails SET bytes = coalesce(json_extract(doc, '$.messageBytes'), 0) WHERE due_at IS NOT NULL;
INSERT INTO queue_counts
  SELECT NEW.workspace, NEW.lane, ${kind('NEW')} AS kind, count(*), sum(NEW.bytes)
  FROM emails AS NEW WHERE NEW.due_at IS NOT NULL GROUP BY 1, 2, 3;

CREATE TRIGGER emails_begin_waiting AFTER INSERT ON emails WHEN NEW.next_at IS NOT NULL BEGIN ${add} END;
CREATE TRIGGER emails_resume_waiting AFTER UPDATE OF next_at ON emails
  WHEN OLD.next_at IS NULL AND NEW.next_at IS NOT NULL BEGIN ${add} END;
CREATE TRIGGER emails_end_waiting AFTER UPDATE OF next_at ON emails
  WHEN OLD.next_at IS NOT NULL AND NEW.next_at IS NULL BEGIN ${subtract} END;
CREATE TRIGGER emails_change_kind AFTER UPDATE OF status ON emails
  WHEN OLD.next_at IS NOT NULL AND NEW.next_at IS NOT NULL AND (${kind('OLD')}) <> (${kind('NEW')}) BEGIN ${subtract} ${add} END;
CREATE TRIGGER emails_are_removed AFTER DELETE ON emails WHEN OLD.next_at IS NOT NULL BEGIN ${subtract} END;
`
