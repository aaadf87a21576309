/**
 * Finds rows among those that a workspace can make by the hundred thousand and that are kept: answers under idempotency
 * keys by their email, keys that are neither revoked nor replaced, and replays that have ended.
 */
export const keptRows = `
CREATE INDEX idempotency_keys_by_email ON idempotency_keys (email_id) WHERE expires_at IS NOT NULL;
CREATE INDEX api_keys_valid ON api_keys (workspace) WHERE revoked_at IS NULL AND rolled_to IS NULL;
CREATE INDEX webhook_replays_ended ON webhook_replays (json_extract(doc, '$.endedAt')) WHERE due_at IS NULL;
`
