import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import type { Asked } from './check.ts'

export type Entry =
  | { at: number; event: 'asked'; testId: string; recipients: readonly string[]; key: string | null }
  | {
      at: number
      event: 'answered'
      testId: string
      status: number
      emailId: string | null
      code: string | null
      /** The header as it came, in seconds. */
      retryAfter: string | null
      tookMs: number
    }
  | { at: number; event: 'unanswered'; testId: string; reason: string }

/** The client's memory, on disk before each request leaves and after each answer: what it says of a crash is true. */
export type Journal = {
  write(entry: Entry): void
  asked(): Asked[]
  entries(): Entry[]
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
      fsyncSync(descriptor)
    },
    entries,
    asked: () => [...Map.groupBy(entries(), (entry) => entry.testId).values()].map(askedOf),
    remove() {
      closeSync(descriptor)
      rmSync(file)
    },
  }
}

const askedOf = (entries: readonly Entry[]): Asked => {
  const first = entries.find((entry) => entry.event === 'asked')
  if (first === undefined) throw new Error('an answer without a question')
  const answers = entries.filter((entry) => entry.event === 'answered')
  return { testId: first.testId, recipients: first.recipients, key: first.key, answers }
}
