import { fsyncSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

export type CheckpointReport = {
  /** The error that the checkpoint threw: an error of SQLite loses its code on the way between threads. */
  error: { message: string; errcode: number | null } | null
  /** How many pages of the log are copied. */
  copied: number
  /**
   * Whether all pages are copied that the log had when the checkpoint began; false: a reader needs them, or an error.
   */
  isComplete: boolean
}

export type CheckpointRequest = 'checkpoint' | 'close'

export type CheckpointWorkerData = { path: string }

// Started by `startCheckpointThread`.
const { path } = workerData as CheckpointWorkerData
const file = new DatabaseSync(path)
// FULL: the log is synced before pages are copied, and the database before the log may restart.
file.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -64')
const checkpoint = file.prepare('PRAGMA wal_checkpoint(PASSIVE)')

/**
 * Never closed, also not at the end of the thread: closing a descriptor of a file ends the locks that the process has
 * on it (fcntl). Some file systems sync only what is open for writing.
 */
const descriptor = openSync(path, 'r+')
/** SQLITE_IOERR_FSYNC. */
const failedSync = 1034

/**
 * SQLite syncs the database when the whole log is copied, which the other thread does: it would wait until megabytes
 * that this thread has copied are on the disk.
 */
const syncCopied = (): void => {
  try {
    fsyncSync(descriptor)
  } catch (thrown) {
    throw Object.assign(new Error(String(thrown)), { errcode: failedSync })
  }
}

const run = (): CheckpointReport => {
  try {
    const { busy, log: pages, checkpointed } = checkpoint.get() ?? {}
    syncCopied()
    return { error: null, copied: Number(checkpointed), isComplete: busy === 0 && pages === checkpointed }
  } catch (thrown) {
    const errcode = thrown instanceof Error && 'errcode' in thrown ? Number(thrown.errcode) : null
    return { error: { message: String(thrown), errcode }, copied: 0, isComplete: false }
  }
}

parentPort?.on('message', (request: CheckpointRequest) => {
  if (request === 'checkpoint') {
    parentPort?.postMessage(run())
    return
  }
  file.close()
  parentPort?.close()
})
