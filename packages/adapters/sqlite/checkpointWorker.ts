import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** What a checkpoint found, or the error that it threw: an error of SQLite loses its code on the way between threads. */
export type CheckpointReport = { error: { message: string; errcode: number | null } | null }

export type CheckpointRequest = 'checkpoint' | 'close'

// Started by `openCheckpoints` with the path of the database.
const file = new DatabaseSync(String(workerData))
// FULL: the log is synced before pages are copied, and the database before the log may restart.
file.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -64')
const checkpoint = file.prepare('PRAGMA wal_checkpoint(PASSIVE)')

const run = (): CheckpointReport => {
  try {
    checkpoint.get()
    return { error: null }
  } catch (thrown) {
    const errcode = thrown instanceof Error && 'errcode' in thrown ? Number(thrown.errcode) : null
    return { error: { message: String(thrown), errcode } }
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
