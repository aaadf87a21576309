/**
 * Lists captured mail of a workspace in the order of its attempts, as MongoDB does.
 * A position in it is an attempt id, which stays valid when its mail is removed. The index replaces
 * `captured_mail_by_workspace`.
 */
export const capturedOrder = `
CREATE INDEX captured_mail_in_order ON captured_mail (workspace, attempt_id);
DROP INDEX captured_mail_by_workspace;
`
