/**
 * Adds confirmed addresses, second factors, and where a session was used last. Times are milliseconds since the epoch.
 */
export const accountSecurity = `
ALTER TABLE users ADD COLUMN email_confirmed_at INTEGER;
ALTER TABLE users ADD COLUMN totp TEXT;
ALTER TABLE users ADD COLUMN sessions_since INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN device TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE workspaces ADD COLUMN require_totp INTEGER NOT NULL DEFAULT 0;
CREATE INDEX sessions_of_user ON sessions (user, seen_at);
CREATE INDEX users_with_totp ON users (id) WHERE totp IS NOT NULL;
`
