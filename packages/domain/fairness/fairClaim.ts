import type { Lane } from '../email/email.ts'

type MaybePromise<T> = T | Promise<T>

/** Due mail of a lane, as the indexes of a store contain it. A key identifies an email in the store. */
export type DueMail<Key> = {
  /** Returns the oldest due mail of all workspaces. */
  oldest(limit: number): MaybePromise<readonly { key: Key; workspace: string }[]>
  /** Returns the oldest due mail of a workspace. */
  oldestOf(workspace: string, limit: number): MaybePromise<readonly Key[]>
  /** Returns the next workspace by id that has waiting mail, and when its first is due; null when there is none. */
  workspaceAfter(workspace: string): MaybePromise<{ workspace: string; dueAt: number } | null>
}

/** Maximum number of workspaces in one claim: each costs one or two queries. The others follow at the next claims. */
const maxWorkspaces = 32
/** Maximum number of workspaces that one claim reads, including those whose mail is not due yet. */
const maxReads = 64

type Choice = {
  lane: Lane
  now: number
  limit: number
  /** Workspaces whose mail is not claimed. */
  except?: ReadonlySet<string>
}

const none: ReadonlySet<string> = new Set()

/**
 * Returns a function that chooses what a claim takes. When more is due than the limit, the workspaces with due mail get
 * equal shares of it, and each share takes the oldest mail. Unused shares go to the oldest mail of all, so a claim
 * takes all it could unless much mail of excluded workspaces is due. Each claim starts with the workspace after the
 * last claim's.
 */
export const fairChoice = (): (<Key>(due: DueMail<Key>, choice: Choice) => Promise<Key[]>) => {
  const lastWorkspaces = new Map<Lane, string>()
  return async (due, { lane, now, limit, except = none }) => {
    const found = await due.oldest(limit)
    const oldest = found.filter(({ workspace }) => !except.has(workspace)).map(({ key }) => key)
    if (found.length < limit) return oldest
    const max = Math.min(limit, maxWorkspaces)
    const start = lastWorkspaces.get(lane) ?? ''
    const { workspaces, last } = await nextWorkspaces(due, start, { now, max, except })
    lastWorkspaces.set(lane, last)
    if (workspaces.length === 0 || (workspaces.length === 1 && oldest.length === limit)) return oldest
    const share = (index: number): number => Math.floor((limit + workspaces.length - 1 - index) / workspaces.length)
    const shares = await Promise.all(workspaces.map((workspace, index) => due.oldestOf(workspace, share(index))))
    return [...new Set([...shares.flat(), ...oldest])].slice(0, limit)
  }
}

/** Returns workspaces with due mail, going round once from the one after `start`. `last` is where it ended. */
const nextWorkspaces = async <Key>(
  due: Pick<DueMail<Key>, 'workspaceAfter'>,
  start: string,
  { now, max, except }: { now: number; max: number; except: ReadonlySet<string> },
): Promise<{ workspaces: string[]; last: string }> => {
  const workspaces: string[] = []
  let last = start
  let isWrapped = start === ''
  for (let reads = 0; reads < maxReads && workspaces.length < max; reads++) {
    const next = await due.workspaceAfter(last)
    if (isWrapped && (next === null || (start !== '' && next.workspace > start))) break
    if (next === null) isWrapped = true
    else if (next.dueAt <= now && !except.has(next.workspace)) workspaces.push(next.workspace)
    last = next?.workspace ?? ''
    if (isWrapped && last === start) break
  }
  return { workspaces, last }
}
