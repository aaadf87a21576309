/**
 * Indexes for the removal of workspaces and users, and for the numbers of webhooks that metrics show. Without them each
 * step of a removal read all sessions, and each read of the metrics read all webhooks.
 */
export const removalIndexes = `
CREATE INDEX sessions_by_workspace ON sessions (workspace);
CREATE INDEX notification_groups_by_workspace ON notification_groups (workspace);
CREATE INDEX notification_preferences_by_user ON notification_preferences (user);
CREATE INDEX webhook_endpoints_states ON webhook_endpoints (enabled, failing);
`
