/**
 * Statistics of mail: what became of the recipients of each hour and day. `up_to` is the time of the last event that is
 * counted; `total`, `category`, `tag` and `destination` are JSON (domain/stats/bucket.ts).
 */
export const stats = `
CREATE TABLE stats_positions (
  workspace TEXT NOT NULL,
  mode TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (workspace, mode)
) STRICT, WITHOUT ROWID;

CREATE TABLE stats_buckets (
  workspace TEXT NOT NULL,
  mode TEXT NOT NULL,
  size TEXT NOT NULL,
  at INTEGER NOT NULL,
  up_to INTEGER NOT NULL,
  total TEXT NOT NULL,
  category TEXT NOT NULL,
  tag TEXT NOT NULL,
  destination TEXT NOT NULL,
  PRIMARY KEY (workspace, mode, size, at)
) STRICT;
-- For removal by age.
CREATE INDEX stats_buckets_at ON stats_buckets (size, at);
`
