import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import type { CheckpointReport, CheckpointRequest, CheckpointWorkerData } from './checkpointWorker.ts'
import { severity } from './errors.ts'
import { busyTimeoutMs } from './openFile.ts'

/** Copies the write-ahead log to the database file, so that the log can restart. SQLite's own checkpoint hides a failed fsync. */
export type Checkpoints = AsyncDisposable & {
  /** Starts a checkpoint if the log is long. */
  afterCommit(): void
  /**
   * Empties the file of the log, which still has what was removed, as soon as all of it is copied. A reader, such as a backup,
   * prevents that: then the next call tries again. The log of an earlier process is emptied by the first call.
   * @param isWanted false: only continues what an earlier call did not reach
   */
  empty(isWanted: boolean): void
}

/** Pages of 4 KiB in the write-ahead log before they are copied: bounds the log near 16 MiB. */
const checkpointPages = 4_000

/** After the thread has copied the log, this thread copies what was written since. It blocks for as many pages at most. */
const restPages = 100

/** How often the thread copies what was written since its last copy, until the rest is short. */
const maxRounds = 8

/** When the log grows faster than the thread copies it, this thread waits and copies it: bounds the log near 28 MiB. */
const maxPages = 7_000
/** The longest wait for the thread, which may have ended in the meantime. */
const maxWaitMs = 5_000

/** Maximum number of pages that a commit is expected to write. To read the length of the log costs a tenth of a commit, so it is read rarely. */
const commitPages = 250

/** The thread starts ahead of the first checkpoint, because a start takes as long as a busy process writes megabytes. */
const startPages = 2_000

export type CheckpointsOptions = {
  path: string
  file: Pick<DatabaseSync, 'isTransaction' | 'exec'>
  prepare: (sql: string) => StatementSync
  /** Called with an error that leaves the content of the disk unknown. */
  die(reason: unknown): void
  /** Starts the thread; null: no other connection can open the file, so every checkpoint runs in this thread. */
  startThread: ((data: CheckpointWorkerData) => Worker) | null
}

/**
 * Returns checkpoints that run in a thread of their own, because copying a long log blocks for tens of milliseconds. The thread
 * starts at the first one. The log restarts only when all of it is copied, and new mail may arrive all the time, so this
 * thread copies the last pages. If the thread fails, every later checkpoint runs in this thread.
 */
export const openCheckpoints = ({ path, file, prepare, die, startThread }: CheckpointsOptions): Checkpoints => {
  const log = writeAheadLog(file, prepare)
  const guarded = guard(die)
  const running = new Int32Array(new SharedArrayBuffer(4))
  let thread: CheckpointThread | null = null
  let canStart = startThread !== null
  /** `copied`: the thread has copied the log as it was when it began. */
  let state: 'idle' | 'running' | 'copied' = 'idle'
  let rounds = 0
  /** Commits until the log may be long. */
  let unseen = 0
  /** Whether the file of the log is emptied: `later` waits for the next call. */
  let emptying: 'no' | 'now' | 'later' = 'later'

  const onReport = ({ error }: CheckpointReport): void => {
    state = error === null ? 'copied' : 'idle'
    guarded(() => {
      if (error !== null) throw Object.assign(new Error(error.message), { errcode: error.errcode })
      // SQLite refuses a checkpoint during a transaction of its connection; the commit follows.
      if (!file.isTransaction) proceed()
    })
  }
  const onEnd = (): void => {
    thread = null
    state = 'idle'
    canStart = false
  }
  const start = (): void => {
    if (canStart && startThread !== null)
      thread ??= checkpointThread(startThread({ path, running }), { onReport, onEnd })
  }
  const copyInThread = (): void => {
    start()
    state = 'running'
    Atomics.store(running, 0, 1)
    rounds += 1
    thread?.send('checkpoint')
  }

  /** Decides what copies the log next, if it is long or its file is emptied. */
  const proceed = (): void => {
    const { pages, checkpointed } = log.readLogState()
    if (pages >= startPages) start()
    if (state === 'running' && pages >= maxPages) {
      Atomics.wait(running, 0, 1, maxWaitMs)
      log.copy()
    }
    if (state === 'running') return
    if (state === 'idle') rounds = 0
    if (state === 'idle' && pages < checkpointPages && emptying !== 'now') {
      unseen = Math.floor(((pages < startPages ? startPages : checkpointPages) - pages) / commitPages)
      return
    }
    const isShort = pages - checkpointed <= restPages
    const isRest = state === 'copied' ? isShort || rounds === maxRounds : isShort && emptying === 'now'
    state = 'idle'
    if (canStart && !isRest && pages < maxPages) copyInThread()
    else if (emptying === 'now') emptying = log.empty() ? 'no' : 'later'
    else log.copy()
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
    [Symbol.asyncDispose]: async () => {
      canStart = false
      await thread?.close()
    },
  }
}

/**
 * Copies the log of a file that no request waits for yet. What migrations wrote is hundreds of pages: later the thread would copy
 * them, and its start costs as much as a tenth of the start of the process. On a full disk the log stays as it is.
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

type CheckpointThread = { send(request: CheckpointRequest): void; close(): Promise<void> }

type ThreadEvents = {
  onReport(report: CheckpointReport): void
  /** The thread has ended, after an error or because it was closed. */
  onEnd(): void
}

/** Follows a thread. A thread that was never closed does not keep the process alive. */
const checkpointThread = (worker: Worker, { onReport, onEnd }: ThreadEvents): CheckpointThread => {
  const ended = Promise.withResolvers<void>()
  worker.on('message', onReport)
  // Without a listener an error of the thread would end the process. `exit` follows.
  worker.on('error', () => undefined)
  worker.once('exit', () => {
    onEnd()
    ended.resolve()
  })
  worker.unref()
  const send = (request: CheckpointRequest): void => worker.postMessage(request)
  return {
    send,
    close: () => {
      worker.ref()
      send('close')
      return ended.promise
    },
  }
}

/** Maximum memory of the thread's JavaScript heap, in MiB; SQLite's memory is not part of it. */
const heapMiB = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 }

export const startCheckpointThread = (workerData: CheckpointWorkerData): Worker =>
  new Worker(new URL('checkpointWorker.ts', import.meta.url), {
    workerData,
    name: 'checkpoint',
    // It leaves one open on purpose.
    trackUnmanagedFds: false,
    resourceLimits: heapMiB,
    execArgv: [],
    // The variables of the process contain secrets, and the thread needs none.
    env: {},
  })
