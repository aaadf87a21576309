import { readDue, writeDue } from '@postrider/contracts/kafka/due.ts'
import type { Due } from '@postrider/domain/email/due.ts'
import type { KafkaMessage, Message } from 'kafkajs'

/** The name of W3C Trace Context §3.2, as it is in HTTP. */
const traceHeader = 'traceparent'
const traceShape = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/

/**
 * A ring for one email. Its key is the email's id, so one tenant's mail is spread over all partitions. Elsewhere a
 * tenant gets a partition of its own so that it holds up no other; here nobody is held up, because listeners put a ring
 * aside and go on, and whoever has mail in work is decided by the claim.
 */
export const emailRing = ({ id, workspace, traceparent }: Due): Message => ({
  key: id,
  value: writeDue({ type: 'email.due', id, workspace }),
  ...(traceparent === undefined ? {} : { headers: { [traceHeader]: traceparent } }),
})

/** A ring that names no email: look for what is due. */
export const laneRing = (): Message => ({ value: writeDue({ type: 'lane.due' }) })

const traceOf = ({ headers }: KafkaMessage): { traceparent?: string } => {
  const traceparent = headers?.[traceHeader]?.toString() ?? ''
  return traceShape.test(traceparent) ? { traceparent } : {}
}

/** The email that a record tells of; null: no one in particular, look for it; or in short words why it tells nothing. */
export const readRing = (record: KafkaMessage): { due: Due | null } | { poison: string } => {
  const read = readDue(record.value)
  if ('poison' in read) return read
  return { due: read.type === 'lane.due' ? null : { id: read.id, workspace: read.workspace, ...traceOf(record) } }
}

/** Bytes of a record that are kept when it is parked. */
const parkedBytes = 64 * 1_024

/** A copy of a record that nobody could read, with where it stood and why. */
export const parkedRecord = (
  record: KafkaMessage,
  from: { topic: string; partition: number },
  reason: string,
): Message => ({
  key: record.key,
  value: record.value?.subarray(0, parkedBytes) ?? null,
  headers: { topic: from.topic, partition: String(from.partition), offset: record.offset, reason },
})
