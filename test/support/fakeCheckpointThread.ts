import { EventEmitter } from 'node:events'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Worker } from 'node:worker_threads'

/**
 * Returns a thread for `openCheckpoints` that copies the log and reports when the test demands it.
 * @param file its connection
 */
export const fakeCheckpointThread = (file: DatabaseSync) => {
  const events = new EventEmitter()
  const requests: string[] = []
  let row: ReturnType<StatementSync['get']>
  const end = (): void => void events.emit('exit')
  const postMessage = (request: string): void => {
    requests.push(request)
    if (request === 'close') end()
  }
  const worker = Object.assign(events, { postMessage, ref: () => {}, unref: () => {} }) as unknown as Worker
  return {
    start: () => worker,
    requests,
    copy: (): void => {
      row = file.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()
    },
    /** Reports the last copy. `change` replaces fields of the report. */
    report: (change = {}): void =>
      void events.emit('message', { error: null, copied: row?.['checkpointed'] ?? 0, isComplete: true, ...change }),
    end,
  }
}
