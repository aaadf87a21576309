/**
 * What rings the doorbell of a lane: ids, a type and a version, never anything of what is in an email. Edits only add:
 * fields that a reader doesn't know are skipped; what it couldn't understand gets a new type or version.
 */
export type DueMessage =
  /** This email is due. */
  | { type: 'email.due'; id: string; workspace: string }
  /** Something of the lane is due, look for it. */
  | { type: 'lane.due' }

const version = 1
/** Bytes. What we write stays under 200; the rest is room for fields to come. */
const largest = 1_024
const longestId = 64

/** JSON in UTF-8. */
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

/** @returns the message, or in short words why it is none */
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
