import { Worker } from 'node:worker_threads'

/** What describes the API, in UTF-8. */
export type DocumentBytes = {
  /** The OpenAPI document as JSON. */
  openapi: Uint8Array
  /** The API reference as an HTML page. */
  reference: Uint8Array
}

export type DocumentsOptions = {
  /** Whether clients come over TLS, which decides the name of the session's cookie. */
  secure: boolean
  publicUrl: string
}

/**
 * Makes the documents in a thread, which ends after that: the work would block this one for hundreds of milliseconds. They
 * are made at the first call, because few processes need them.
 */
export const makeDocuments = (options: DocumentsOptions): (() => Promise<DocumentBytes>) => {
  let made: Promise<DocumentBytes> | null = null
  return () => {
    made ??= inThread(options).catch((thrown: unknown) => {
      made = null
      throw thrown
    })
    return made
  }
}

/** Most memory of the thread's JavaScript heap, in MiB; it uses less than half of it. */
const heapMiB = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 }

const inThread = (workerData: DocumentsOptions): Promise<DocumentBytes> => {
  const { promise, resolve, reject } = Promise.withResolvers<DocumentBytes>()
  const worker = new Worker(new URL('documentsWorker.ts', import.meta.url), {
    workerData,
    name: 'documents',
    resourceLimits: heapMiB,
    execArgv: [],
    // The variables of the process contain secrets, and the thread needs none.
    env: {},
  })
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', (code) => reject(new Error(`the thread of the documents ended with ${code}`)))
  worker.unref()
  return promise
}
