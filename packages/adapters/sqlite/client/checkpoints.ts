import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Worker } from 'node:worker_threads'
import type { After } from '@postrider/kit/after.ts'
import { checkpointThread } from './checkpointThread.ts'
import type { CheckpointReport, CheckpointWorkerData } from './checkpointWorker.ts'
import { severity } from './errors.ts'
import { logRoom } from './logRoom.ts'
import { busyTimeoutMs } from './openFile.ts'

/**
 * Copies the write-ahead log to the database file, so that the log can restart. SQLite's own checkpoint hides a failed
 * fsync.
 */
export type Checkpoints = AsyncDisposable & {
  /** Starts a checkpoint if the log is long. */
  afterCommit(): void
  /**
   * Whether a transaction may be committed now; false while the log grows faster than the thread copies it (`LogRoom`).
   */
  hasRoom(): boolean
  /**
   * Empties the file of the log, which still has what was removed, as soon as all of it is copied. A reader, such as a
   * backup, prevents that: then the next call tries again. The log of an earlier process is emptied by the first call.
   * @param isWanted false: only continues what an earlier call did not reach
   */
  empty(isWanted: boolean): void
}

/** Pages of 4 KiB in the write-ahead log before the thread copies them: bounds the log near 16 MiB. */
const checkpointPages = 4_000
/** Pages in the log before this thread copies them, if there is no other thread: each copy blocks for about 10 ms. */
const ownCheckpointPages = 500

/**
 * After the thread has copied the log, this thread copies what was written since. It blocks for as many pages at most.
 */
const restPages = 100
/** Pages that this thread copies after commits were delayed, in addition to those of the delayed commit. */
const delayedRestPages = 600

/** Commits are delayed while the thread copies a log of this length: bounds the log near 28 MiB. */
const maxPages = 7_000
/** How often the thread copies what was written since its last copy before commits are delayed. */
const maxRounds = 8

/** Commits before the thread tries again to copy a log that a reader needs. */
const blockedCommits = 20

/**
 * Maximum number of pages that a commit is expected to write. To read the length of the log costs a tenth of a commit,
 * so it is read rarely.
 */
const commitPages = 250

/** Returns the number of commits after which a log of `pages` may have `longPages`. */
const commitsUntil = (longPages: number, pages: number): number => Math.floor((longPages - pages) / commitPages)

/**
 * The thread starts ahead of the first checkpoint, because a start takes as long as a busy process writes megabytes.
 */
const startPages = 2_000

export type CheckpointsOptions = {
  path: string
  file: Pick<DatabaseSync, 'isTransaction' | 'exec'>
  prepare: (sql: string) => StatementSync
  /** Called with an error that leaves the content of the disk unknown. */
  die(reason: unknown): void
  /** Starts the thread; null: no other connection can open the file, so every checkpoint runs in this thread. */
  startThread: ((data: CheckpointWorkerData) => Worker) | null
  /** Called when `hasRoom` becomes true. */
  onRoom(): void
  after?: After
}

/**
 * `copied`: the thread has copied the log as it was when it began. `last`: the same while commits were delayed, and one
 * follows.
 */
type CopyState = 'idle' | 'running' | 'copied' | 'last'

/**
 * Returns checkpoints that run in a thread of their own, because copying a long log blocks for tens of milliseconds.
 * The thread starts at the first one. The log restarts only when all of it is copied, and new mail may arrive all the
 * time, so this thread copies the last pages. A thread that fails is replaced. If several fail in a row, every later
 * checkpoint runs in this thread.
 */
export const openCheckpoints = (options: CheckpointsOptions): Checkpoints => {
  const { path, file, prepare, die, startThread } = options
  const [log, room, guarded] = [writeAheadLog(file, prepare), logRoom(options), guard(die)]
  let state: CopyState = 'idle'
  let rounds = 0
  /** Copies in a row that were not complete. One may have met the end of a commit, which is a reader too. */
  let missed = 0
  /** Another reader, such as a backup, prevents copies. Until it ends the log grows: a delay would not help. */
  const isBlocked = (): boolean => missed > 1
  /** Commits until the log may be long. */
  let unseen = 0
  /** Whether the file of the log is emptied: `later` waits for the next call. */
  let emptying: 'no' | 'now' | 'later' = 'later'
  const onReport = ({ error, copied, isComplete }: CheckpointReport): void => {
    missed = error === null && !isComplete ? missed + 1 : 0
    state = error === null && !isBlocked() ? 'copied' : 'idle'
    if (isBlocked()) unseen = blockedCommits
    if (isBlocked() && emptying === 'now') emptying = 'later'
    if (state === 'idle') room.release()
    guarded(() => {
      if (error !== null) throw Object.assign(new Error(error.message), { errcode: error.errcode })
      // SQLite refuses a checkpoint during a transaction of its connection; the commit follows.
      if (!file.isTransaction && !isBlocked()) proceed()
      if (room.delayedPages() === 0 || state !== 'copied') return
      if (room.delayedPages() - copied > delayedRestPages) return copyInThread()
      state = 'last'
      room.release()
    })
  }
  const onEnd = (): void => {
    state = 'idle'
    room.release()
  }
  const thread = checkpointThread({ path, startThread, onReport, onEnd })
  const copyInThread = (): void => {
    thread.copy()
    state = 'running'
    rounds += 1
  }
  const mustDelay = (pages: number): boolean => !isBlocked() && (pages >= maxPages || rounds > maxRounds)
  /** Decides what copies the log next, if it is long or its file is emptied. */
  const copyNext = (pages: number, rest: number): void => {
    if (state === 'idle') rounds = 0
    const longPages = thread.canRun() ? checkpointPages : ownCheckpointPages
    if (state === 'idle' && pages < longPages && emptying !== 'now') {
      unseen = commitsUntil(pages < startPages ? Math.min(startPages, longPages) : longPages, pages)
      return
    }
    const isShort = rest <= (mustDelay(pages) ? delayedRestPages : restPages)
    const isRest = state === 'last' || (isShort && (state === 'copied' || emptying === 'now'))
    state = 'idle'
    if (thread.canRun() && !isRest) copyInThread()
    else if (emptying === 'now') emptying = log.empty() ? 'no' : 'later'
    else log.copy()
  }
  const proceed = (): void => {
    const { pages, checkpointed } = log.readLogState()
    if (pages >= startPages) thread.start()
    if (state !== 'running') room.release()
    if (state !== 'running') copyNext(pages, pages - checkpointed)
    if (state === 'running' && mustDelay(pages)) room.delay(pages)
    else room.release()
  }
  return {
    empty: (isWanted) => {
      if (isWanted || emptying === 'later') emptying = 'now'
      if (emptying !== 'now') return
      unseen = 0
      // The commit follows, or the report of the thread.
      if (!file.isTransaction) guarded(proceed)
    },
    afterCommit: () => {
      if (unseen > 0) unseen -= 1
      else guarded(proceed)
    },
    hasRoom: room.hasRoom,
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  }
}

/**
 * Copies the log of a file that no request waits for yet. What migrations wrote is hundreds of pages: later the thread
 * would copy them, and its start costs as much as a tenth of the start of the process. On a full disk the log stays as
 * it is.
 */
export const copyLog = (file: Pick<DatabaseSync, 'exec'>): void =>
  guard((reason) => {
    throw reason
  })(() => file.exec('PRAGMA wal_checkpoint(PASSIVE)'))

/** Returns a function that runs work on the log. A full disk leaves the log intact, and the next commit tries again. */
const guard =
  (die: (reason: unknown) => void) =>
  (work: () => void): void => {
    try {
      work()
    } catch (thrown) {
      if (severity(thrown) === 'fatal') die(thrown)
    }
  }

/** What this thread does with the write-ahead log. */
const writeAheadLog = (file: Pick<DatabaseSync, 'exec'>, prepare: (sql: string) => StatementSync) => {
  const logState = prepare('PRAGMA wal_checkpoint(NOOP)')
  const copy = prepare('PRAGMA wal_checkpoint(PASSIVE)')
  const truncate = prepare('PRAGMA wal_checkpoint(TRUNCATE)')
  return {
    /** Returns the length of the log, and how much of it is copied. */
    readLogState: (): { pages: number; checkpointed: number } => {
      const { log: pages, checkpointed } = logState.get() as { log: number; checkpointed: number }
      return { pages, checkpointed }
    },
    copy: (): void => void copy.get(),
    /** Copies the log and empties its file. @returns false: a reader prevents it */
    empty: (): boolean => {
      // SQLite would wait for readers as long as for a lock, and block every request.
      file.exec('PRAGMA busy_timeout = 0')
      try {
        return truncate.get()?.['busy'] === 0
      } finally {
        file.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
      }
    },
  }
}
