import type { Due } from '@postrider/domain/email/due.ts'
import { beginSpan, type OpenSpan } from '@postrider/kit/trace.ts'

/** What OpenTelemetry's conventions on messaging say of a record; rings of mail that isn't traced cost nothing. */
const spanOf = (type: 'send' | 'process', topic: string, { id, traceparent }: Due) => ({
  name: `${type} ${topic}`,
  kind: type === 'send' ? ('producer' as const) : ('consumer' as const),
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

/** What became of what was put. */
export type Ended = (outcome: 'sent' | 'dropped') => void

/** The span of a ring on its way to Kafka. @returns the ring that goes there, and what ends the span */
export const sending = (topic: string, due: Due): { due: Due; ended?: Ended } => {
  if (due.traceparent === undefined) return { due }
  const begun = beginSpan(spanOf('send', topic, due))
  // Where this process collects nothing the next may.
  if (begun === null) return { due }
  const ended: Ended = (outcome) => begun.end(outcome === 'sent' ? undefined : new Error(outcome))
  return { due: under(due, begun), ended }
}

/** The moment in which a ring was heard. @returns the ring with what comes after it under that moment */
export const hearing = (from: { topic: string; partition: number; group: string }, due: Due): Due => {
  if (due.traceparent === undefined) return due
  const spanned = spanOf('process', from.topic, due)
  const attributes = {
    ...spanned.attributes,
    'messaging.consumer.group.name': from.group,
    'messaging.destination.partition.id': String(from.partition),
  }
  const begun = beginSpan({ ...spanned, attributes })
  begun?.end()
  return begun === null ? due : under(due, begun)
}
