/**
 * Indexes of tables in which one workspace can store hundreds of thousands of rows: responses stored under idempotency
 * keys by their email, keys that are neither revoked nor replaced, and replays that have ended.
 */
export const keptRows = `
CREATE INDEX idempotency_keys_by_email ON idempotency_keys (email_id) WHERE expires_at IS NOT NULL;
CREATE INDEX api_keys_valid ON api_keys (workspace) WHERE revoked_at IS NULL AND rolled_to IS NULL;
CREATE INDEX webhook_replays_ended ON webhook_replays (json_extract(doc, '$.endedAt')) WHERE due_at IS NULL;
`
