/** Who changed what, written from the start and never changed. */
export type Audit = {
  record(entry: AuditEntry): Promise<void>
}

export type AuditEntry = {
  /** Empty: nobody's in particular, such as a failed log-in of an unknown address. */
  workspace: string
  at: number
  /** A key or user id, `operator`, or `system`. */
  actor: string
  /** What was done, `noun.verb`: `key.revoke`. */
  action: string
  /** Id of what it was done to; empty: the workspace itself. */
  target: string
  /** What changed, without secrets or addresses in clear. */
  detail: Record<string, string | number | boolean | null>
}
