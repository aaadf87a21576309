import { setTimeout as pause } from 'node:timers/promises'
import type { Due } from '@postrider/domain/email/due.ts'
import type { Lane } from '@postrider/domain/email/email.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { EachBatchPayload, KafkaMessage } from 'kafkajs'
import { readRing } from './message.ts'
import { hearing } from './traced.ts'

export type Hearing = {
  lane: Lane
  /** Of the listeners that share the rings. */
  group: string
  heard(due: readonly Due[]): void
  /** Takes a record that can't be read. */
  park(record: KafkaMessage, from: { topic: string; partition: number }, reason: string): void
  log: Log
}

/** Records between two heartbeats. */
const atOnce = 100
/** Between two fetches that find something: each costs as much CPU as hundreds of rings in it. */
const fetchGapMs = 40

type Records = { topic: string; partition: number; messages: readonly KafkaMessage[] }

/** Tells of these records what there is to tell; never throws. */
const hear = ({ lane, group, heard, park, log }: Hearing, { messages, ...from }: Records): void => {
  const due: Due[] = []
  let look = false
  for (const record of messages) {
    const read = readRing(record)
    if ('poison' in read) park(record, from, read.poison)
    else if (read.due === null) look = true
    else due.push(hearing({ ...from, group }, read.due))
  }
  try {
    if (look) heard([])
    if (due.length > 0) heard(due)
  } catch (thrown) {
    log.error({ err: thrown, lane }, 'a ring broke its hearer')
  }
}

/**
 * What is done with a batch: parse and tell, nothing else, so no email holds up the records behind it.
 * @param stopped nothing is heard any more
 */
export const batchHearer = (hearing: Hearing, stopped: () => boolean) => {
  /** No fetch before then, on the clock of `performance`. */
  let fetchAt = 0
  return async ({ batch, isRunning, isStale, resolveOffset, heartbeat }: EachBatchPayload): Promise<void> => {
    const { topic, partition } = batch
    for (let at = 0; at < batch.messages.length; at += atOnce) {
      const messages = batch.messages.slice(at, at + atOnce)
      const last = messages.at(-1)
      if (!last || stopped() || !isRunning() || isStale()) return
      hear(hearing, { topic, partition, messages })
      resolveOffset(last.offset)
      await heartbeat()
    }
    // The first batch of a fetch says when the next may begin; all of them are heard at once and wait for it.
    const now = performance.now()
    if (fetchAt < now) fetchAt = now + fetchGapMs
    await pause(fetchAt - now)
  }
}
