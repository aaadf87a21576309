import { bufferOf } from '@postrider/mail/bytes.ts'
/**
 * The Kafka message that notifies of due mail in a lane, or of an email with new events: ids, a type and a version,
 * never content of an email. Compatible changes only add fields, which old readers ignore; any other change needs a new
 * type or version.
 */
export type DueMessage =
  /** This email is due. */
  | { type: 'email.due'; id: string; workspace: string }
  /** Some mail of the lane is due; readers poll for it. */
  | { type: 'lane.due' }
  /** This email, or this event of the workspace, is to be sent to webhooks. */
  | { type: 'events.stored'; id: string; workspace: string }

const version = 1
/** Bytes. Our messages stay under 200; the rest is reserved for further fields. */
const largest = 1_024
const maxIdLength = 64

/** Returns the message as JSON. */
export const writeDue = (message: DueMessage): string => JSON.stringify({ v: version, ...message })

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= maxIdLength

const parse = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}

/** @returns the message; `poison`: why it cannot be read */
export const readDue = (bytes: Uint8Array | null): DueMessage | { poison: string } => {
  if (bytes === null) return { poison: 'empty' }
  if (bytes.length > largest) return { poison: 'oversized' }
  const value = parse(bufferOf(bytes).toString())
  if (value === null) return { poison: 'not a JSON object' }
  if (value['v'] !== version) return { poison: 'unknown version' }
  if (value['type'] === 'lane.due') return { type: 'lane.due' }
  const { type, id, workspace } = value
  if (type !== 'email.due' && type !== 'events.stored') return { poison: 'unknown type' }
  return isText(id) && isText(workspace) ? { type, id, workspace } : { poison: 'without ids' }
}
