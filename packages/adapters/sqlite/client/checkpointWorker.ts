import { fsyncSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** Result of a checkpoint, or the error that it threw: an error of SQLite loses its code on the way between threads. */
export type CheckpointReport = { error: { message: string; errcode: number | null } | null }

export type CheckpointRequest = 'checkpoint' | 'close'

/** `running` is 1 from a request until its checkpoint has ended, so that the other thread can wait for that. */
export type CheckpointWorkerData = { path: string; running: Int32Array<SharedArrayBuffer> }

// Started by `startCheckpointThread`.
const { path, running } = workerData as CheckpointWorkerData
const file = new DatabaseSync(path)
// FULL: the log is synced before pages are copied, and the database before the log may restart.
file.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -64')
const checkpoint = file.prepare('PRAGMA wal_checkpoint(PASSIVE)')

/**
 * Never closed, also not at the end of the thread: closing a descriptor of a file ends the locks that the process has on it
 * (fcntl). Some file systems sync only what is open for writing.
 */
const descriptor = openSync(path, 'r+')
/** SQLITE_IOERR_FSYNC. */
const failedSync = 1034

/**
 * SQLite syncs the database when the whole log is copied, which the other thread does: it would wait until megabytes that this
 * thread has copied are on the disk.
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
    checkpoint.get()
    syncCopied()
    return { error: null }
  } catch (thrown) {
    const errcode = thrown instanceof Error && 'errcode' in thrown ? Number(thrown.errcode) : null
    return { error: { message: String(thrown), errcode } }
  }
}

parentPort?.on('message', (request: CheckpointRequest) => {
  if (request === 'checkpoint') {
    const report = run()
    Atomics.store(running, 0, 0)
    Atomics.notify(running, 0)
    parentPort?.postMessage(report)
    return
  }
  file.close()
  parentPort?.close()
})
