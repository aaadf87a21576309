import type { Problem } from '../problem.ts'
import { dayMs, isoTime } from '../time.ts'
import { reasonProblems } from './workspaceRules.ts'

/**
 * The life of a workspace: the operator stops its mail and lets it leave again, its deletion is scheduled, which stops
 * the mail too, and a scheduled deletion is canceled until it is due.
 */
export type WorkspaceLife = {
  suspended: boolean
  suspendedReason: string
  /** When the workspace is deleted; null: no deletion is scheduled. */
  deletesAt: number | null
  /** Whether a canceled deletion lets the mail leave again. */
  resumesOnRestore: boolean
}

/** `refused`: the state of the workspace does not permit it. `invalid`: the request has these problems. */
export type LifeDecision =
  | { kind: 'change'; change: Partial<WorkspaceLife> }
  | { kind: 'unchanged' }
  | { kind: 'refused'; message: string }
  | { kind: 'invalid'; problems: Problem[] }

/** Time from the request to delete a workspace to its deletion. */
export const deletionDelayMs = 7 * dayMs

const unchanged: LifeDecision = { kind: 'unchanged' }

/** Decides a request to delete a workspace. A repeated one does not move the time. */
export const deletion = (
  { deletesAt, suspended }: Pick<WorkspaceLife, 'deletesAt' | 'suspended'>,
  now: number,
): LifeDecision =>
  deletesAt !== null
    ? unchanged
    : {
        kind: 'change',
        change: { deletesAt: now + deletionDelayMs, suspended: true, resumesOnRestore: !suspended },
      }

/** Decides a request to cancel a scheduled deletion. The mail leaves again unless the operator had stopped it. */
export const restoration = (
  { deletesAt, resumesOnRestore }: Pick<WorkspaceLife, 'deletesAt' | 'resumesOnRestore'>,
  now: number,
): LifeDecision => {
  if (deletesAt === null) return unchanged
  if (deletesAt <= now)
    return {
      kind: 'refused',
      message: `The deletion of this workspace began at ${isoTime(deletesAt)} and cannot be stopped.`,
    }
  return { kind: 'change', change: { deletesAt: null, suspended: !resumesOnRestore, resumesOnRestore: false } }
}

/**
 * Decides what the operator's `suspended` and `reason` change; an absent one stays as it is. While the deletion is
 * scheduled, the mail stays stopped.
 */
export const suspension = (
  found: Pick<WorkspaceLife, 'deletesAt' | 'suspended'>,
  { suspended, reason }: { suspended?: boolean; reason?: string },
): LifeDecision => {
  const isDeleting = found.deletesAt !== null
  if (suspended === false && isDeleting)
    return { kind: 'refused', message: 'The deletion of this workspace is scheduled; restore it first.' }
  const isStopped = suspended ?? found.suspended
  const problems = reasonProblems(reason ?? '', isStopped, 'suspended')
  if (problems.length > 0) return { kind: 'invalid', problems }
  return {
    kind: 'change',
    change: {
      ...(suspended === undefined ? {} : { suspended }),
      ...(suspended === true && isDeleting ? { resumesOnRestore: false } : {}),
      ...(reason === undefined ? {} : { suspendedReason: reason }),
      ...(isStopped ? {} : { suspendedReason: '' }),
    },
  }
}
