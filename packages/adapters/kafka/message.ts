import { readDue, writeDue } from '@postrider/contracts/kafka/due.ts'
import type { Due } from '@postrider/domain/email/due.ts'
import type { Lane } from '@postrider/domain/email/email.ts'
import { beginSpan, type OpenSpan, type SpanOptions } from '@postrider/kit/trace.ts'
import type { EventHint } from '@postrider/ports/eventHints.ts'
import type { KafkaMessage, Message } from 'kafkajs'

/** Subject of a topic: mail of a lane that is due, or new events. Metrics and logs call it `lane`. */
export type Channel = Lane | 'events'

/** The header of W3C Trace Context §3.2, with the same name as in HTTP. */
const traceHeader = 'traceparent'
const traceShape = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/

/**
 * Returns the record that notifies of one due email. Its key is the email's id, so the mail of one tenant is spread
 * over all partitions. A partition per tenant is not needed: a listener stores a hint and continues, so no tenant
 * blocks another, and the claim decides whose mail is in flight.
 */
export const emailRing = ({ id, workspace, traceparent }: Due): Message => ({
  key: id,
  value: writeDue({ type: 'email.due', id, workspace }),
  ...(traceparent === undefined ? {} : { headers: { [traceHeader]: traceparent } }),
})

/** Returns the record that notifies of a record with new events. */
export const eventsRing = ({ id, workspace }: EventHint): Message => ({
  key: id,
  value: writeDue({ type: 'events.stored', id, workspace }),
})

/** The header of a notification of a lane with the name of the installation that sent it. */
const installationHeader = 'installation'

/** Returns the record that notifies of due mail in a whole lane: listeners poll for its due mail. */
export const laneRing = (installation?: string): Message => ({
  value: writeDue({ type: 'lane.due' }),
  ...(installation !== undefined && { headers: { [installationHeader]: installation } }),
})

/** Returns the name of the installation that sent a notification of a lane; null: none, as in earlier releases. */
export const installationOf = ({ headers }: KafkaMessage): string | null =>
  headers?.[installationHeader]?.toString().slice(0, 200) ?? null

const traceOf = ({ headers }: KafkaMessage): { traceparent?: string } => {
  const traceparent = headers?.[traceHeader]?.toString() ?? ''
  return traceShape.test(traceparent) ? { traceparent } : {}
}

/** @returns the due email, or null for a whole lane; `poison`: why the record cannot be read */
export const readRing = (record: KafkaMessage): { due: Due | null } | { poison: string } => {
  const read = readDue(record.value)
  if ('poison' in read) return read
  return { due: read.type === 'lane.due' ? null : { id: read.id, workspace: read.workspace, ...traceOf(record) } }
}

/** Bytes of an unreadable record that are stored. */
const parkedBytes = 64 * 1_024

/** Returns a copy of an unreadable record, with its origin and the reason. */
export const parkedRecord = (
  record: KafkaMessage,
  from: { topic: string; partition: number },
  reason: string,
): Message => ({
  key: record.key,
  value: record.value?.subarray(0, parkedBytes) ?? null,
  headers: { topic: from.topic, partition: String(from.partition), offset: record.offset, reason },
})

/** Attributes by OpenTelemetry's messaging conventions. */
const spanOf = (type: 'send' | 'process', topic: string, { id, traceparent }: Due): SpanOptions => ({
  name: `${type} ${topic}`,
  kind: type === 'send' ? 'producer' : 'consumer',
  traceparent,
  attributes: {
    'messaging.system.name': 'kafka',
    'messaging.operation.type': type,
    'messaging.destination.name': topic,
    'postrider.email_id': id,
  },
})

const under = (due: Due, { traceparent = due.traceparent }: OpenSpan): Due =>
  traceparent === undefined ? due : { ...due, traceparent }

export type SendOutcome = 'sent' | 'dropped'

/**
 * Starts the span of a due notification that is sent; one without a trace costs nothing.
 * @returns the notification to send, and what ends the span
 */
export const startSendSpan = (topic: string, due: Due): { due: Due; onOutcome?: (outcome: SendOutcome) => void } => {
  if (due.traceparent === undefined) return { due }
  const span = beginSpan(spanOf('send', topic, due))
  // This process collects no spans; the next may.
  if (span === null) return { due }
  return {
    due: under(due, span),
    onOutcome: (outcome) => span.end(outcome === 'sent' ? undefined : new Error(outcome)),
  }
}

/** Records the span of a received due notification. @returns it with that span as its parent */
export const recordReceiveSpan = (from: { topic: string; partition: number; group: string }, due: Due): Due => {
  if (due.traceparent === undefined) return due
  const options = spanOf('process', from.topic, due)
  const attributes = {
    ...options.attributes,
    'messaging.consumer.group.name': from.group,
    'messaging.destination.partition.id': String(from.partition),
  }
  const span = beginSpan({ ...options, attributes })
  span?.end()
  return span === null ? due : under(due, span)
}
