import type { AuditQuery } from './entry.ts'

/*
 * How a store finds the lines of a list. A filter may match one line of a million, so a store examines the lines of one index in
 * chunks, and stops between two of them when the reader has gone.
 */

/** An index that has the lines in the order of lists, of the whole log or of those with one value. */
export type AuditIndex = 'time' | 'workspace' | 'actor' | 'action'

/** Up to this number, all matching lines are read and sorted in one step. */
export const fewAuditLines = 2_000

/** Returns the index with the fewest lines to examine that has them in the order of lists. */
export const auditIndexOf = ({ workspace, actor, orOperator, action }: AuditQuery): AuditIndex => {
  if (workspace === null) return 'time'
  if (actor !== null && 'is' in actor && orOperator === undefined) return 'actor'
  return action !== null && 'is' in action ? 'action' : 'workspace'
}

/** The conditions of a search: those that an index finds, in the order of lists, and those that are checked on its lines. */
export type AuditSource<Condition> = { found: readonly Condition[]; checks: readonly Condition[] }

/** Adds the conditions on the actor and the action, each where the index has it. */
export const withKinds = <Condition>(
  index: AuditIndex,
  { found, checks }: AuditSource<Condition>,
  { ofActor, ofAction }: { ofActor: readonly Condition[]; ofAction: readonly Condition[] },
): AuditSource<Condition> => ({
  found: [...found, ...(index === 'actor' ? ofActor : []), ...(index === 'action' ? ofAction : [])],
  checks: [...checks, ...(index === 'actor' ? [] : ofActor), ...(index === 'action' ? [] : ofAction)],
})

/**
 * Returns the indexes in which the lines of a kind of actors or actions follow each other, but not in the order of lists. Such a kind
 * may be rare in a long log, and then all its lines are read.
 */
export const kindIndexesOf = ({ workspace, actor, orOperator, action }: AuditQuery): ('actor' | 'action')[] => {
  if (workspace === null) return []
  const ofActors = actor !== null && !('is' in actor) && orOperator === undefined
  const ofActions = action !== null && !('is' in action)
  return [...(ofActors ? (['actor'] as const) : []), ...(ofActions ? (['action'] as const) : [])]
}
