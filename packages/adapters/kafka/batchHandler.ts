import type { Due } from '@postrider/domain/email/due.ts'
import { isFromOther } from '@postrider/domain/installation.ts'
import type { Log } from '@postrider/kit/log.ts'
import { pause } from '@postrider/kit/pause.ts'
import type { EachBatchPayload, KafkaMessage } from 'kafkajs'
import { type Channel, installationOf, readRing, recordReceiveSpan } from './message.ts'

export type BatchHandlerOptions = {
  channel: Channel
  /** Name of the group of listeners that share the records. */
  group: string
  /** Called with the emails that are due; with none for a notification of the whole lane. */
  onRing(due: readonly Due[]): void
  /** Sets aside a record that cannot be read. */
  park(record: KafkaMessage, from: { topic: string; partition: number }, reason: string): void
  /** The name of this installation; absent: other ones are not detected. */
  installation?: string | undefined
  log: Log
}

/** Records between two heartbeats. */
const recordsPerHeartbeat = 100
/** Time between two fetches that return records: a fetch costs as much CPU as hundreds of records in it. */
const fetchGapMs = 40

type Records = { topic: string; partition: number; messages: readonly KafkaMessage[] }

/**
 * Passes the notifications in these records on; never throws.
 * @param sentBy receives the sender of each notification of the whole lane
 */
const ring = (
  { channel, group, onRing, park, log }: BatchHandlerOptions,
  { messages, ...from }: Records,
  sentBy: (installation: string | null) => void,
): void => {
  const due: Due[] = []
  let wholeLane = false
  for (const record of messages) {
    const read = readRing(record)
    if ('poison' in read) park(record, from, read.poison)
    else if (read.due === null) {
      wholeLane = true
      sentBy(installationOf(record))
    } else due.push(recordReceiveSpan({ ...from, group }, read.due))
  }
  try {
    if (wholeLane) onRing([])
    if (due.length > 0) onRing(due)
  } catch (thrown) {
    log.error({ err: thrown, lane: channel }, 'doorbell listener failed')
  }
}

/**
 * Returns a function that logs the name of another installation that sends notifications, once. Two installations with
 * different databases on the same topics receive each other's notifications, so that their mail waits for a scan. The
 * sweep notifies a lane while mail waits in it, and these notifications show it without a cost for each email.
 */
const detectOthers = ({ installation, channel, log }: BatchHandlerOptions): ((sender: string | null) => void) => {
  let reported = ''
  return (sender) => {
    if (!isFromOther(sender, installation) || sender === reported) return
    reported = sender
    log.warn({ lane: channel, installation, other: sender }, 'another installation uses these topics')
  }
}

/**
 * Returns the function that handles a batch. It only reads records and passes them on, so no email delays the records
 * behind it.
 * @param stopped returns true once no record may be passed on
 */
export const batchHandler = (options: BatchHandlerOptions, stopped: () => boolean) => {
  /** Earliest time of the next fetch, on the clock of `performance`. */
  let fetchAt = 0
  const sentBy = detectOthers(options)
  return async ({ batch, isRunning, isStale, resolveOffset, heartbeat }: EachBatchPayload): Promise<void> => {
    const { topic, partition } = batch
    for (let at = 0; at < batch.messages.length; at += recordsPerHeartbeat) {
      const messages = batch.messages.slice(at, at + recordsPerHeartbeat)
      const last = messages.at(-1)
      if (!last || stopped() || !isRunning() || isStale()) return
      ring(options, { topic, partition, messages }, sentBy)
      resolveOffset(last.offset)
      await heartbeat()
    }
    // The first batch of a fetch sets the time of the next one; all batches of the fetch run concurrently and wait for
    // it.
    const now = performance.now()
    if (fetchAt < now) fetchAt = now + fetchGapMs
    await pause(fetchAt - now)
  }
}
