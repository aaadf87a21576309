import { Fault } from '@postrider/kit/fault.ts'
import { openBodies } from '../bodies/bodyRoom.ts'
import type { Memory } from '../bodies/memory.ts'
import type { Context } from '../deps.ts'
import { withBody } from '../steps/readBody.ts'

/** The fields of a form; of a repeated one the first value. */
export type FormFields = { get(name: string): string | null }

/** Maximum number of fields of a form; ours have a few. */
const maxFields = 100

const [ampersand, equals, plus, percent, space] = [0x26, 0x3d, 0x2b, 0x25, 0x20]

/**
 * Returns the fields of a body of the type application/x-www-form-urlencoded, as the URL standard parses it (section
 * 5.1); null: there are too many. `URLSearchParams` takes time in the square of the number of fields, and for each sign
 * that is decoded 60 bytes of memory, which is 50 MiB for 768 KiB.
 */
export const formFields = (body: Uint8Array): FormFields | null => {
  const fields = new Map<string, string>()
  for (let [from, count] = [0, 0]; from <= body.length; count++) {
    if (count === maxFields) return null
    const end = endOf(body, ampersand, from, body.length)
    const nameEnd = endOf(body, equals, from, end)
    const name = decoded(body.subarray(from, nameEnd))
    if (end > from && !fields.has(name))
      fields.set(name, decoded(body.subarray(nameEnd + 1, Math.max(end, nameEnd + 1))))
    from = end + 1
  }
  return { get: (name) => fields.get(name) ?? null }
}

const endOf = (body: Uint8Array, sign: number, from: number, end: number): number => {
  const at = body.subarray(from, end).indexOf(sign)
  return at === -1 ? end : from + at
}

const decoded = (bytes: Uint8Array): string => {
  const text = Buffer.allocUnsafe(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const escaped = byte === percent ? hexByte(bytes, at + 1) : -1
    if (escaped !== -1) at += 2
    text[length++] = escaped !== -1 ? escaped : byte === plus ? space : byte
  }
  return text.toString('utf8', 0, length)
}

/** @returns -1: there are not two hexadecimal digits at this index */
const hexByte = (bytes: Uint8Array, at: number): number => {
  const [high, low] = [digit(bytes[at]), digit(bytes[at + 1])]
  return high === -1 || low === -1 ? -1 : high * 16 + low
}

const digit = (code = 0): number => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** Longer texts cannot be tokens. */
const maxTokenLength = 200

/** Returns the token of a link, from the query of its address or from the form of its page. Empty: there is none. */
export const linkToken = (fields: FormFields): string => (fields.get('token') ?? '').slice(0, maxTokenLength)

/** Most forms have a few short fields. */
const usualBytes = 8 * 1_024

const urlEncoded = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/** `workspace`: that of the session that sends the form; its body has the memory of other requests of the workspace. */
type FormOptions = { maxBytes?: number; workspace?: string }

/**
 * Reads the body of a posted form and calls `use` with its fields.
 * @throws Fault `unsupported_media_type`, `too_large`, `malformed_request`, `unavailable`
 */
export const withForm = async (
  context: Context,
  memory: Memory,
  use: (fields: FormFields) => Promise<void>,
  { maxBytes = usualBytes, workspace }: FormOptions = {},
): Promise<void> => {
  const { headers } = context.req
  if (headers['content-encoding'] !== undefined || !urlEncoded.test(headers['content-type'] ?? '')) {
    throw new Fault('unsupported_media_type', 'The body must be a form; send application/x-www-form-urlencoded.')
  }
  const bodies = workspace === undefined ? openBodies(memory) : { ...memory, ownerOf: () => workspace }
  await withBody(context, { maxBytes, memory: bodies }, (bytes) => {
    const fields = formFields(bytes)
    if (fields === null) throw new Fault('malformed_request', `A form may have at most ${maxFields} fields.`)
    return use(fields)
  })
}
