/** Removes deleted workspaces from every store. Times are milliseconds since the epoch. */
export type WorkspaceErasure = {
  /**
   * Removes up to about `limit` documents of a workspace whose deletion is due: first what gives access, then its data,
   * its users without another workspace, its audit entries, and last the workspace itself, which is then one of
   * `removed`. So a crash leaves the workspace, and the next call continues. The plan, the billing and the ledger stay
   * until the billing has ended: the last month is charged when it is over. Invoices and their lines stay without free
   * text: their numbers have no gaps. Deliveries and replays whose endpoint does not exist any more may stay: the
   * service of webhooks removes those of all workspaces.
   * @returns how many; 0: nothing is left that can be removed now
   */
  step(workspace: string, limit: number): Promise<number>
  /** Returns removed workspaces that are due for another check, the longest overdue first. */
  removed(now: number, limit: number): Promise<RemovedWorkspace[]>
  /** Sets when a removed workspace is checked again. */
  scheduleRecheck(workspace: string, at: number): Promise<void>
  /**
   * Deletes the last records of a removed workspace.
   * @returns false: its billing has not ended, and nothing was changed
   */
  forget(workspace: string): Promise<boolean>
}

/** `isNew`: no call of `scheduleRecheck` has named it. */
export type RemovedWorkspace = { id: string; isNew: boolean }
