import type { HourOfOutcomes, Outcomes, Reputation } from '@postrider/domain/reputation/reputation.ts'

/** Counts of what became of each workspace's live mail, by the hour. */
export type OutcomeCounts = {
  /** Adds to the counts; an hour without an outcome is not stored. Not repeatable. */
  addOutcomes(counts: readonly WorkspaceOutcomes[]): Promise<void>
}

export type WorkspaceOutcomes = Outcomes & {
  workspace: string
  /** The first millisecond of an hour. */
  hour: number
}

/** The reputation of workspaces, which follows from the counts. */
export type ReputationStore = OutcomeCounts & {
  /** Returns workspaces with a bounce or a complaint in this hour or later, and those with a rate that is not good. */
  troubled(since: number): Promise<string[]>
  /** Returns the hours of a workspace from this one on that have outcomes, in any order. */
  outcomes(workspace: string, since: number): Promise<HourOfOutcomes[]>
  /** Returns the levels as stored; `version` 0: none are. */
  reputation(workspace: string): Promise<{ reputation: Reputation; version: number }>
  /** Writes the levels if they are as they were read. @returns false: they have changed, and nothing is written */
  writeReputation(workspace: string, reputation: Reputation, version: number): Promise<boolean>
  /**
   * Removes counts of hours before this one, of all workspaces. Earlier hours of the same day stay in a store that has
   * one record for each day.
   * @returns how many records; fewer than `limit`: none is left
   */
  removeOutcomes(before: number, limit: number): Promise<number>
}
