/** Stores which request holds the lease of an idempotency key, so that only this request ends it. */
export const keyLeases = `
ALTER TABLE idempotency_keys ADD COLUMN request_id TEXT;
`
