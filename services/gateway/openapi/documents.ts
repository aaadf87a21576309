import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { threadEnv } from '@postrider/kit/threadEnv.ts'
import { bufferOf } from '@postrider/mail/bytes.ts'
import { makeSearch, type PreparedEntry, type SearchResult } from '../pages/docs/search.ts'
import { contentOf, type StaticFile } from '../staticFile.ts'

/** Documents that describe the API. */
export type Documents = {
  /** Returns the OpenAPI document as JSON. */
  openapi(): Promise<StaticFile>
  /** The pages of the documentation, and the files that they load, by their paths. */
  files: ReadonlyMap<string, () => Promise<StaticFile>>
  /** The markup before and after the content of the page of results. */
  searchFrame: readonly [before: string, after: string]
  search(query: string, limit: number): SearchResult[]
}

/** A file as the thread creates it. */
export type PlainFile = Pick<StaticFile, 'type' | 'plain'>

/** Documents that the thread creates. */
export type MadeDocuments = Pick<Documents, 'searchFrame'> & {
  openapi: PlainFile
  files: ReadonlyMap<string, PlainFile>
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
export const makeDocuments = (options: DocumentsOptions): (() => Promise<Documents>) =>
  madeOnce(async () => received(await inThread(options)))

/** Returns a function that makes a value at its first call, and again only after a failure. */
const madeOnce = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | null = null
  return () => {
    made ??= make().catch((thrown: unknown) => {
      made = null
      throw thrown
    })
    return made
  }
}

const received = ({ openapi, files, searchFrame, entries }: MadeDocuments): Documents => ({
  openapi: compressedOnce(openapi),
  files: new Map([...files].map(([path, file]) => [path, compressedOnce(file)])),
  searchFrame,
  search: makeSearch(entries),
})

const [brotliOf, gzipOf] = [promisify(brotliCompress), promisify(gzip)]

/** A quality beyond which the sizes hardly change, but the time does. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

/** Returns a file with its compressed forms, which are made at the first call: most files are never requested. */
const compressedOnce = ({ type, plain }: PlainFile): (() => Promise<StaticFile>) =>
  madeOnce(async () => {
    // A message between threads contains bytes without the methods of a Buffer.
    const bytes = bufferOf(plain.bytes)
    const [br, gzipped] = await Promise.all([brotliOf(bytes, brotli), gzipOf(bytes)])
    return {
      type,
      plain: { ...plain, bytes },
      encoded: [
        { encoding: 'br', ...contentOf(br) },
        { encoding: 'gzip', ...contentOf(gzipped) },
      ],
    }
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
