import type { AuditQuery } from './entry.ts'

/*
 * How a store finds the entries of a list. A filter may match one entry of a million, so a store examines the entries
 * of one index in chunks, and stops between two of them when the reader has gone.
 */

/** An index that has the entries in the order of lists, of the whole log or of those with one value. */
export type AuditIndex = 'time' | 'workspace' | 'actor' | 'action'

/** Maximum number of matching entries that are read and sorted in one step. */
export const fewAuditEntries = 2_000

/** Returns the index with the fewest entries to examine that has them in the order of lists. */
export const auditIndexOf = ({ workspace, actor, orOperator, action }: AuditQuery): AuditIndex => {
  if (workspace === null) return 'time'
  if (actor !== null && 'is' in actor && orOperator === undefined) return 'actor'
  return action !== null && 'is' in action ? 'action' : 'workspace'
}

/**
 * The conditions of a search: those that an index finds, in the order of lists, and those that are checked on its
 * entries.
 */
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
 * Returns the indexes in which the entries of a kind of actors or actions follow each other, but not in the order of
 * lists. Such a kind may be rare in a long log, and then all its entries are read.
 */
export const kindIndexesOf = ({ workspace, actor, orOperator, action }: AuditQuery): ('actor' | 'action')[] => {
  if (workspace === null) return []
  const ofActors = actor !== null && !('is' in actor) && orOperator === undefined
  const ofActions = action !== null && !('is' in action)
  return [...(ofActors ? (['actor'] as const) : []), ...(ofActions ? (['action'] as const) : [])]
}
