/** Reads which workspaces the operator has suspended. It is read every few seconds, so it must cost little. */
export type Suspensions = {
  /** Returns the ids of all suspended workspaces. */
  suspended(): Promise<ReadonlySet<string>>
}
