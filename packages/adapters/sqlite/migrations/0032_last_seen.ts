/**
 * Finds when a member last used a session in a workspace. There are hundreds of thousands of sessions, because
 * each login creates one and they are stored for days. The index replaces `sessions_by_user`.
 */
export const lastSeen = `
CREATE INDEX sessions_last_seen ON sessions (user, workspace, seen_at);
DROP INDEX sessions_by_user;
`
