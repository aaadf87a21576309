/**
 * Counts waiting mail by workspace as it changes, in the same transaction. The index that it replaces was written at each
 * claim and each outcome, and a count read all of it. A row without emails is deleted, so a count reads only workspaces
 * with waiting mail.
 */
export const queueCounts = `
CREATE TABLE queue_counts (
  workspace TEXT NOT NULL,
  lane TEXT NOT NULL,
  mode TEXT NOT NULL,
  -- 1: the status is scheduled.
  scheduled INTEGER NOT NULL,
  emails INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (workspace, lane, mode, scheduled)
) STRICT, WITHOUT ROWID;
INSERT INTO queue_counts
  SELECT workspace, lane, mode, status = 'scheduled', count(*), sum(bytes) FROM emails INDEXED BY emails_waiting
  WHERE next_at IS NOT NULL GROUP BY 1, 2, 3, 4;
DROP INDEX emails_waiting;

CREATE TRIGGER emails_count_inserted AFTER INSERT ON emails WHEN NEW.next_at IS NOT NULL BEGIN
  INSERT INTO queue_counts VALUES (NEW.workspace, NEW.lane, NEW.mode, NEW.status = 'scheduled', 1, NEW.bytes)
    ON CONFLICT DO UPDATE SET emails = emails + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER emails_count_changed AFTER UPDATE OF next_at, status ON emails
WHEN (OLD.next_at IS NULL) <> (NEW.next_at IS NULL) OR (OLD.status = 'scheduled') <> (NEW.status = 'scheduled') BEGIN
  UPDATE queue_counts SET emails = emails - 1, bytes = bytes - OLD.bytes
    WHERE OLD.next_at IS NOT NULL
      AND (workspace, lane, mode, scheduled) = (OLD.workspace, OLD.lane, OLD.mode, OLD.status = 'scheduled');
  DELETE FROM queue_counts
    WHERE emails = 0 AND (workspace, lane, mode, scheduled) = (OLD.workspace, OLD.lane, OLD.mode, OLD.status = 'scheduled');
  INSERT INTO queue_counts
    SELECT NEW.workspace, NEW.lane, NEW.mode, NEW.status = 'scheduled', 1, NEW.bytes WHERE NEW.next_at IS NOT NULL
    ON CONFLICT DO UPDATE SET emails = emails + 1, bytes = bytes + excluded.bytes;
END;
`
