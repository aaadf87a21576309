/**
 * Writes of an email that may add events. An attempt is written when it begins (`attempt`) and with its outcome (`outcome`); a
 * `change` is that of a person.
 */
export type EmailWrite = 'insert' | 'batch' | 'attempt' | 'outcome' | 'change'

/** The workspaces that have an enabled endpoint of webhooks. */
export type WorkspacesWithEndpoints = { has(workspace: string): boolean }

/**
 * Returns whether a write gives a hint of new events once it is stored: its workspace has an endpoint. An attempt that runs has no
 * event that is sent now.
 */
export const givesHint = (write: EmailWrite, workspace: string, workspaces: WorkspacesWithEndpoints): boolean =>
  write !== 'attempt' && workspaces.has(workspace)
