/**
 * Rows that the removal of workspaces and users finds, and the numbers of webhooks that metrics show. Each step of a
 * removal read all sessions, each look of the metrics all webhooks.
 */
export const removalIndexes = `
CREATE INDEX sessions_by_workspace ON sessions (workspace);
CREATE INDEX notification_groups_by_workspace ON notification_groups (workspace);
CREATE INDEX notification_preferences_by_user ON notification_preferences (user);
CREATE INDEX webhook_endpoints_states ON webhook_endpoints (enabled, failing);
`
