/**
 * Counts of waiting mail, which replace an index. The index was written at each claim and each outcome, and a count
 * read all of it.
 */
export const queueCounts = `
CREATE TABLE queue_counts (
  workspace TEXT NOT NULL,
  lane TEXT NOT NULL,
  mode TEXT NOT NULL,
  -- 1: mail with the status scheduled.
  scheduled INTEGER NOT NULL,
  emails INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (workspace, lane, mode, scheduled)
) STRICT, WITHOUT ROWID;
INSERT INTO queue_counts
  SELECT workspace, lane, mode, status = 'scheduled', count(*), sum(bytes) FROM emails INDEXED BY emails_waiting
  WHERE next_at IS NOT NULL GROUP BY 1, 2, 3, 4;
DROP INDEX emails_waiting;
`
