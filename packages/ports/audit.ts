/** The audit log: entries are added and never changed. */
export type Audit = {
  record(entry: AuditEntry): Promise<void>
}

export type AuditEntry = {
  /** Empty when the event belongs to no workspace, such as a failed log-in with an unknown address. */
  workspace: string
  at: number
  /** A key or user id, `operator`, or `system`. */
  actor: string
  /** `noun.verb`, such as `key.revoke`. */
  action: string
  /** Id of the object that was changed; empty: the workspace. */
  target: string
  /** The change, without secrets and without addresses in plain text. */
  detail: Record<string, string | number | boolean | null>
}
