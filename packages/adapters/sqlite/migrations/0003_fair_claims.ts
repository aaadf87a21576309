/** Finds the workspaces that have due mail in a lane; a claim divides its limit among them. */
export const fairClaims = `
CREATE INDEX emails_due_by_workspace ON emails (lane, workspace, due_at) WHERE due_at IS NOT NULL;
`
