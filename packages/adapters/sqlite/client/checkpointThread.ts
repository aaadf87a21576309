import { Worker } from 'node:worker_threads'
import { threadEnv } from '@postrider/kit/threadEnv.ts'
import type { CheckpointReport, CheckpointRequest, CheckpointWorkerData } from './checkpointWorker.ts'

/** The thread that copies the write-ahead log. It ends when it is disposed. After an error it starts again. */
export type CheckpointThread = AsyncDisposable & {
  /** Returns false after the thread has ended several times without a report, or if there is none. */
  canRun(): boolean
  /** Starts the thread, unless it runs. */
  start(): void
  /** Makes the thread copy the log. It starts before if necessary. */
  copy(): void
}

export type CheckpointThreadOptions = {
  path: string
  /** null: no other connection can open the file. */
  startThread: ((data: CheckpointWorkerData) => Worker) | null
  onReport(report: CheckpointReport): void
  onEnd(): void
}

/**
 * Maximum number of threads in a row that end without a report. A further one would end too, and each start costs as
 * much as copying some hundred pages.
 */
const maxFailed = 3

/** A thread that was never disposed does not keep the process alive. */
export const checkpointThread = ({ path, startThread, onReport, onEnd }: CheckpointThreadOptions): CheckpointThread => {
  let ended = Promise.withResolvers<void>()
  let worker: Worker | null = null
  let canRun = startThread !== null
  let failed = 0

  const start = (): void => {
    if (!canRun || worker !== null || startThread === null) return
    worker = startThread({ path })
    ended = Promise.withResolvers<void>()
    worker.on('message', (report: CheckpointReport) => {
      failed = 0
      onReport(report)
    })
    // Without a listener an error of the thread would end the process. `exit` follows.
    worker.on('error', () => undefined)
    worker.once('exit', () => {
      worker = null
      failed += 1
      canRun &&= failed < maxFailed
      onEnd()
      ended.resolve()
    })
    worker.unref()
  }
  const send = (request: CheckpointRequest): void => worker?.postMessage(request)
  return {
    canRun: () => canRun,
    start,
    copy: () => {
      start()
      send('checkpoint')
    },
    [Symbol.asyncDispose]: async () => {
      canRun = false
      if (worker === null) return
      worker.ref()
      send('close')
      await ended.promise
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
    env: threadEnv(),
  })
