export const testClocks = `
CREATE TABLE test_clocks (
  workspace TEXT NOT NULL PRIMARY KEY,
  clock_offset INTEGER NOT NULL,
  moved_at INTEGER NOT NULL,
  rev INTEGER NOT NULL,
  look_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX test_clocks_looks ON test_clocks (look_at) WHERE look_at IS NOT NULL;
-- Waiting test mail, which a move of the clock reads. Live mail is not in it.
CREATE INDEX emails_test_waiting ON emails (workspace, next_at) WHERE mode = 'test' AND next_at IS NOT NULL;
-- Their places on the clock, and those of waiting deliveries: what has its place already is not read. The mode is a column so that
-- counts read the index alone.
CREATE INDEX emails_test_places ON emails (workspace, coalesce(json_extract(doc, '$.clock.offset'), 0))
  WHERE mode = 'test' AND next_at IS NOT NULL;
CREATE INDEX webhook_deliveries_test_places
  ON webhook_deliveries (
    endpoint, coalesce(json_extract(doc, '$.clockOffset'), 0), due_at, lease_until, json_extract(doc, '$.mode')
  )
  WHERE due_at IS NOT NULL AND json_extract(doc, '$.mode') = 'test';
`
