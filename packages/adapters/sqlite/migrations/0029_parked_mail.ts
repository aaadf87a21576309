/**
 * Adds the time at which mail was parked, so that the operator can list it. An earlier release did not store the time:
 * the mail that it parked gets the time of this migration.
 */
export const parkedMail = `
ALTER TABLE emails ADD COLUMN parked_at INTEGER;
CREATE INDEX emails_parked ON emails (parked_at, id) WHERE parked_at IS NOT NULL;
UPDATE emails SET parked_at = unixepoch() * 1000
  WHERE deaths >= 20 AND next_at IS NULL AND lease_until IS NULL AND status IN ('scheduled', 'queued', 'sending', 'deferred');
`
