/**
 * Finds when a member last used a session in a workspace. Log-ins make sessions by the hundred thousand, and they are
 * kept for days. The index also does what `sessions_by_user` did.
 */
export const lastSeen = `
CREATE INDEX sessions_last_seen ON sessions (user, workspace, seen_at);
DROP INDEX sessions_by_user;
`
