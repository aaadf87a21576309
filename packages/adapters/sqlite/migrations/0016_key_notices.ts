/** Adds the time from which a key may be reported as unused; 0: at any time. */
export const keyNotices = `
ALTER TABLE api_keys ADD COLUMN notice_at INTEGER NOT NULL DEFAULT 0;
`
