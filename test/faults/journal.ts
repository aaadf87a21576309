import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import type { SentRequest } from './check.ts'

export type Entry =
  | { at: number; event: 'requested'; testId: string; recipients: readonly string[]; key: string | null }
  | {
      at: number
      event: 'answered'
      testId: string
      status: number
      emailId: string | null
      code: string | null
      /** The Retry-After header, in seconds. */
      retryAfter: string | null
      tookMs: number
    }
  | { at: number; event: 'unanswered'; testId: string; reason: string }

/**
 * The journal of the clients. Each entry is in its file before the request is sent or the next step follows its
 * response. Tests never kill the process of the clients, so it needs no sync.
 */
export type Journal = {
  write(entry: Entry): void
  requests(): SentRequest[]
  entries(): Entry[]
  /** Removes all entries. */
  clear(): void
  remove(): void
}

export const openJournal = (file: string): Journal => {
  const descriptor = openSync(file, 'a')
  const entries = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Entry)
  return {
    write(entry) {
      writeSync(descriptor, `${JSON.stringify(entry)}\n`)
    },
    entries,
    requests: () => [...Map.groupBy(entries(), (entry) => entry.testId).values()].map(requestOf),
    clear: () => ftruncateSync(descriptor),
    remove() {
      closeSync(descriptor)
      rmSync(file)
    },
  }
}

const requestOf = (entries: readonly Entry[]): SentRequest => {
  const first = entries.find((entry) => entry.event === 'requested')
  if (first === undefined) throw new Error('the journal has a response without a request')
  const answers = entries.filter((entry) => entry.event === 'answered')
  return { testId: first.testId, recipients: first.recipients, key: first.key, answers }
}
