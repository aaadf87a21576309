import { Worker } from 'node:worker_threads'
import { threadEnv } from '@postrider/kit/threadEnv.ts'
import { bufferOf } from '@postrider/mail/bytes.ts'
import { makeSearch, type PreparedEntry, type SearchResult } from '../pages/docs/search.ts'
import type { StaticFile } from '../staticFile.ts'

/** Documents that describe the API. */
export type Documents = {
  /** The OpenAPI document as JSON. */
  openapi: StaticFile
  /** The pages of the documentation, and the files that they load, by their paths. */
  files: ReadonlyMap<string, StaticFile>
  /** The markup before and after the content of the page of results. */
  searchFrame: readonly [before: string, after: string]
  search(query: string, limit: number): SearchResult[]
}

/** Documents that the thread creates. */
export type MadeDocuments = Pick<Documents, 'openapi' | 'searchFrame'> & {
  files: ReadonlyMap<string, StaticFile>
  entries: readonly PreparedEntry[]
}

export type DocumentsOptions = {
  /** Whether clients come over TLS, which decides the name of the session's cookie. */
  secure: boolean
  publicUrl: string
  /** Paths of the files of the built dashboard, whose typeface the pages use; empty: it is not built. */
  dashboard: readonly string[]
}

/**
 * Makes the documents in a thread, which ends after that: the work would block this one for hundreds of milliseconds.
 * They are made at the first call, because few processes need them.
 */
export const makeDocuments = (options: DocumentsOptions): (() => Promise<Documents>) => {
  let made: Promise<Documents> | null = null
  return () => {
    made ??= inThread(options)
      .then(received)
      .catch((thrown: unknown) => {
        made = null
        throw thrown
      })
    return made
  }
}

/** A message between threads contains bytes without the methods of a Buffer. */
const withBuffers = ({ type, plain, encoded }: StaticFile): StaticFile => ({
  type,
  plain: { ...plain, bytes: bufferOf(plain.bytes) },
  encoded: encoded.map((content) => ({ ...content, bytes: bufferOf(content.bytes) })),
})

const received = ({ openapi, files, searchFrame, entries }: MadeDocuments): Documents => ({
  openapi: withBuffers(openapi),
  files: new Map([...files].map(([path, file]) => [path, withBuffers(file)])),
  searchFrame,
  search: makeSearch(entries),
})

/** Maximum memory of the thread's JavaScript heap, in MiB; it uses less than half of it. */
const heapMiB = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 }

const inThread = (workerData: DocumentsOptions): Promise<MadeDocuments> => {
  const { promise, resolve, reject } = Promise.withResolvers<MadeDocuments>()
  const worker = new Worker(new URL('documentsWorker.ts', import.meta.url), {
    workerData,
    name: 'documents',
    resourceLimits: heapMiB,
    execArgv: [],
    env: threadEnv(),
  })
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', (code) => reject(new Error(`the thread of the documents ended with ${code}`)))
  worker.unref()
  return promise
}
