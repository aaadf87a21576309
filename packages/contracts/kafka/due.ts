/**
 * The Kafka message that rings the doorbell of a lane: ids, a type and a version, never content of an email. Compatible
 * changes only add fields, which old readers ignore; any other change needs a new type or version.
 */
export type DueMessage =
  /** This email is due. */
  | { type: 'email.due'; id: string; workspace: string }
  /** Some mail of the lane is due; readers look for it. */
  | { type: 'lane.due' }

const version = 1
/** Bytes. Our messages stay under 200; the rest is room for further fields. */
const largest = 1_024
const longestId = 64

/** Returns the message as JSON. */
export const writeDue = (message: DueMessage): string => JSON.stringify({ v: version, ...message })

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= longestId

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
  const value = parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
  if (value === null) return { poison: 'not a JSON object' }
  if (value['v'] !== version) return { poison: 'unknown version' }
  if (value['type'] === 'lane.due') return { type: 'lane.due' }
  if (value['type'] !== 'email.due') return { poison: 'unknown type' }
  const { id, workspace } = value
  return isText(id) && isText(workspace) ? { type: 'email.due', id, workspace } : { poison: 'without ids' }
}
