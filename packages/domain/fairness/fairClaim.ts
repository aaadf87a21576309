import type { Lane } from '../email/email.ts'

type Now<T> = T | Promise<T>

/** What a store knows of the due mail of a lane, by its indexes. A key is whatever names an email there. */
export type DueMail<Key> = {
  /** The oldest due mail, whoever's it is. */
  oldest(limit: number): Now<readonly Key[]>
  /** The oldest due mail of a workspace. */
  oldestOf(workspace: string, limit: number): Now<readonly Key[]>
  /** The next workspace in order of id that has mail waiting, and when its first is due; null: there is none. */
  workspaceAfter(workspace: string): Now<{ workspace: string; dueAt: number } | null>
}

/** Each workspace costs a look or two, in a cluster over the wire: those left out have their turn at the next claim. */
const mostWorkspaces = 32
/** Workspaces whose mail isn't due yet are passed over, so many at a claim. */
const mostLooks = 64

/**
 * Chooses what a claim takes. Where more is due than it may take, the limit is shared out among the workspaces that
 * have due mail, and of each the oldest are taken; what shares leave over goes to the oldest of all, so a claim never
 * takes less than it could. Each claim begins with the workspace after the last one's, so that all have their turn.
 */
export const fairChoice = (): (<Key>(
  due: DueMail<Key>,
  query: { lane: Lane; now: number; limit: number },
) => Promise<Key[]>) => {
  const turns = new Map<Lane, string>()
  return async (due, { lane, now, limit }) => {
    const oldest = await due.oldest(limit)
    if (oldest.length < limit) return [...oldest]
    const most = Math.min(limit, mostWorkspaces)
    const { workspaces, last } = await workspacesInTurn(due, turns.get(lane) ?? '', { now, most })
    turns.set(lane, last)
    if (workspaces.length < 2) return [...oldest]
    const share = (index: number): number => Math.floor((limit + workspaces.length - 1 - index) / workspaces.length)
    const shares = await Promise.all(workspaces.map((workspace, index) => due.oldestOf(workspace, share(index))))
    return [...new Set([...shares.flat(), ...oldest])].slice(0, limit)
  }
}

/** Walks once around the workspaces, from the one after `start`. `last`: the one where it ended. */
const workspacesInTurn = async <Key>(
  due: Pick<DueMail<Key>, 'workspaceAfter'>,
  start: string,
  { now, most }: { now: number; most: number },
): Promise<{ workspaces: string[]; last: string }> => {
  const workspaces: string[] = []
  let last = start
  let isAround = start === ''
  for (let looks = 0; looks < mostLooks && workspaces.length < most; looks++) {
    const next = await due.workspaceAfter(last)
    if (isAround && (next === null || (start !== '' && next.workspace > start))) break
    if (next === null) isAround = true
    else if (next.dueAt <= now) workspaces.push(next.workspace)
    last = next?.workspace ?? ''
    if (isAround && last === start) break
  }
  return { workspaces, last }
}
