/** Stores sending domains and the queue of their checks. */
export const domains = `
CREATE TABLE domains (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  workspace TEXT NOT NULL,
  name TEXT NOT NULL,
  -- The name while the domain is usable, otherwise its id: one workspace has a name verified.
  name_claim TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL,
  usable INTEGER NOT NULL,
  subdomains INTEGER NOT NULL,
  return_path_verified INTEGER NOT NULL,
  next_check_at INTEGER NOT NULL,
  lease_until INTEGER,
  fence INTEGER NOT NULL DEFAULT 0,
  doc TEXT NOT NULL,
  UNIQUE (workspace, name)
) STRICT;
CREATE INDEX domains_by_workspace ON domains (workspace, id);
-- lease_until is in it so that a claim passes leased domains without reading their rows.
CREATE INDEX domains_due ON domains (next_check_at, lease_until);
CREATE INDEX domains_leased ON domains (lease_until) WHERE lease_until IS NOT NULL;
-- It has all that the choice of a sender reads.
CREATE INDEX domains_usable ON domains (workspace, id, name, subdomains, return_path_verified) WHERE usable = 1;

-- A count of all domains by their status would read an entry for each at every scrape of the metrics.
CREATE TABLE domain_counts (status TEXT NOT NULL PRIMARY KEY, domains INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TRIGGER domain_added AFTER INSERT ON domains BEGIN
  INSERT INTO domain_counts VALUES (new.status, 1) ON CONFLICT DO UPDATE SET domains = domains + 1;
END;
CREATE TRIGGER domain_removed AFTER DELETE ON domains BEGIN
  UPDATE domain_counts SET domains = domains - 1 WHERE status = old.status;
END;
CREATE TRIGGER domain_changed AFTER UPDATE OF status ON domains WHEN new.status <> old.status BEGIN
  UPDATE domain_counts SET domains = domains - 1 WHERE status = old.status;
  INSERT INTO domain_counts VALUES (new.status, 1) ON CONFLICT DO UPDATE SET domains = domains + 1;
END;
`
