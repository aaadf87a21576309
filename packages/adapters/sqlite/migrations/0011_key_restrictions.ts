/** Recipients, replaced keys and the address of the last use. Each key is its own family until it is replaced. */
export const keyRestrictions = `
ALTER TABLE api_keys ADD COLUMN recipients TEXT NOT NULL DEFAULT '[]';
ALTER TABLE api_keys ADD COLUMN family TEXT NOT NULL DEFAULT '';
ALTER TABLE api_keys ADD COLUMN rolled_from TEXT;
ALTER TABLE api_keys ADD COLUMN rolled_to TEXT;
ALTER TABLE api_keys ADD COLUMN last_used_from TEXT NOT NULL DEFAULT '';
UPDATE api_keys SET family = id;
`
