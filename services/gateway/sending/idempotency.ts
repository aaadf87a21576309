import { createHash, hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { decodedOf } from '@postrider/contracts/http/decodedText.ts'
import type { Idempotency } from '@postrider/contracts/services.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import { parseItem } from 'structured-headers'
import { addBytes, addLongText, isLongText } from '../json/jsonSteps.ts'

const maxKeyLength = 255
const printable = new RegExp(`^[\\x20-\\x7e]{1,${maxKeyLength}}$`)

const refusalFault = (reason: string): Fault => {
  const message = `${reason} Send one Idempotency-Key of 1 to ${maxKeyLength} printable ASCII characters.`
  return new Fault('malformed_request', message, {
    problems: [{ path: 'Idempotency-Key', code: 'invalid_idempotency_key', message }],
  })
}

/**
 * Names under which other services read the key, and misspellings. Without its key, a retry of the client would send
 * twice.
 */
const otherNames: readonly (readonly [name: string, written: string])[] = [
  ['x-idempotency-key', 'X-Idempotency-Key'],
  ['idempotency_key', 'Idempotency_Key'],
  ['idempotencykey', 'IdempotencyKey'],
  ['idempotent-key', 'Idempotent-Key'],
  ['idempotence-key', 'Idempotence-Key'],
]

const refuseOtherNames = ({ headers }: IncomingMessage): void => {
  const other = otherNames.find(([name]) => headers[name] !== undefined)
  if (!other) return
  const message = `The header ${other[1]} is not read; send the key in the header Idempotency-Key.`
  throw new Fault('malformed_request', message, { problems: [{ path: other[1], code: 'wrong_header', message }] })
}

/**
 * Reads the `Idempotency-Key` of a request; null: it has none. A quoted structured-field string (RFC 9651 §3.3.3)
 * stands for its content, because clients write the key either way.
 * @throws Fault `malformed_request`
 */
export const readIdempotencyKey = (request: IncomingMessage): string | null => {
  const given = request.headers['idempotency-key']
  if (given === undefined) {
    refuseOtherNames(request)
    return null
  }
  // Node joins repeated headers with commas, and a key may contain a comma: only the raw lines show a repetition.
  if ((request.headersDistinct['idempotency-key'] ?? []).length > 1) throw refusalFault('The header is given twice.')
  const key = unquote(String(given))
  if (printable.test(key)) return key
  throw refusalFault(key === '' ? 'The key is empty.' : 'The key is too long or has other characters.')
}

/** Headers in which a client sends a key, in any spelling. */
const keyHeaders = [['idempotency-key', 'Idempotency-Key'] as const, ...otherNames]

/**
 * Refuses a key on an operation that does not support it. If it were ignored, a client would repeat a request in the
 * belief that it acts once.
 * @throws Fault `malformed_request`
 */
export const refuseIdempotencyKey = ({ headers }: IncomingMessage): void => {
  const given = keyHeaders.find(([name]) => headers[name] !== undefined)
  if (!given) return
  const [, path] = given
  const message = `This operation does not support an Idempotency-Key: a repeated request acts again. Leave out the header ${path}.`
  throw new Fault('malformed_request', message, { problems: [{ path, code: 'not_supported', message }] })
}

const unquote = (text: string): string => {
  if (!text.startsWith('"')) return text
  try {
    const [content, parameters] = parseItem(text)
    if (typeof content === 'string' && parameters.size === 0) return content
  } catch {
    // Refused below.
  }
  throw refusalFault('A key that begins with a quote must be a quoted string without parameters.')
}

/** Fields whose content the caller chooses. Only there a null member differs from an absent one. */
const freeFields: ReadonlySet<string> = new Set(['template_vars'])

type Member = [name: string, value: unknown]

/**
 * Returns the members of an object.
 * @param hasNulls false: without those that are null, as `strictObject` reads them
 */
const membersOf = (value: object, hasNulls: boolean): Member[] =>
  Object.entries(value).filter(([, item]) => hasNulls || item !== null)

const byName = ([left]: Member, [right]: Member): number => (left < right ? -1 : 1)

/**
 * Returns the canonical form of a JSON value: members sorted by name, no white space. The parser bounds the depth.
 * @param hasNulls false: without members that are null, except in fields whose content the caller chooses
 */
export const canonicalJson = (value: unknown, hasNulls = true): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, hasNulls)).join(',')}]`
  let members = ''
  for (const name of Object.keys(value).sort()) {
    const item = (value as Record<string, unknown>)[name]
    if (item === null && !hasNulls) continue
    const text = canonicalJson(item, hasNulls || freeFields.has(name))
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${text}`
  }
  return `{${members}}`
}

/**
 * Returns the SHA-256 of a body's canonical form: it does not depend on the order of the members, and a member that is
 * null counts as absent.
 */
export const fingerprint = (value: unknown): Buffer => hashOf(value, false)

const hashOf = (value: unknown, hasNulls: boolean): Buffer => hash('sha256', canonicalJson(value, hasNulls), 'buffer')

type Fingerprints = Omit<Idempotency, 'key'>

/** Returns the fingerprint of a body, and that of release 0.1, which does not treat a null member as absent. */
export const fingerprints = (value: unknown): Fingerprints => ({
  fingerprint: fingerprint(value),
  ...(hasNullFields(value) && { formerFingerprint: hashOf(value, true) }),
})

/** Returns the same for a long body, in short steps. */
export function* fingerprintsSteps(value: unknown): Steps<Fingerprints> {
  const current = yield* hashSteps(value, false)
  if (!hasNullFields(value)) return { fingerprint: current }
  return { fingerprint: current, formerFingerprint: yield* hashSteps(value, true) }
}

/** Whether members that are null are left out of the fingerprint. */
const hasNullFields = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(hasNullFields)
  return Object.entries(value).some(([name, item]) => item === null || (!freeFields.has(name) && hasNullFields(item)))
}

/** Returns the fingerprint of a value in short steps; members that are null count as absent. */
export const fingerprintSteps = (value: unknown): Steps<Buffer> => hashSteps(value, false)

function* hashSteps(value: unknown, hasNulls: boolean): Steps<Buffer> {
  const sha256 = createHash('sha256')
  yield* addCanonical(value, hasNulls, (part) => sha256.update(part))
  return sha256.digest()
}

type Add = (part: string | Buffer) => void

/** Pauses after each entry and member: an unchecked body may have 200,000, or 200 texts of 64 KiB. */
function* addCanonical(value: unknown, hasNulls: boolean, add: Add): Steps<void> {
  const decoded = decodedOf(value)
  if (decoded !== null) yield* addDecoded(decoded.text, add)
  else if (isShort(value)) add(JSON.stringify(value))
  else if (isLongText(value)) yield* addLongText(value, add)
  else if (Array.isArray(value)) yield* addArray(value, hasNulls, add)
  else if (typeof value === 'object') yield* addObject(value, hasNulls, add)
}

/** Whether a value is added in one step. A generator for each of 200,000 numbers would be garbage. */
const isShort = (value: unknown): value is string | number | boolean | null =>
  value === null || (typeof value !== 'object' && !isLongText(value))

function* addArray(entries: readonly unknown[], hasNulls: boolean, add: Add): Steps<void> {
  add('[')
  for (const [index, item] of entries.entries()) {
    if (index > 0) add(',')
    if (isShort(item)) add(JSON.stringify(item))
    else yield* addCanonical(item, hasNulls, add)
    yield
  }
  add(']')
}

function* addObject(value: object, hasNulls: boolean, add: Add): Steps<void> {
  const members = yield* sortSteps(membersOf(value, hasNulls))
  add('{')
  for (const [index, [name, item]] of members.entries()) {
    if (index > 0) add(',')
    if (isLongText(name)) yield* addLongText(name, add)
    else add(JSON.stringify(name))
    add(':')
    if (isShort(item)) add(JSON.stringify(item))
    else yield* addCanonical(item, hasNulls || freeFields.has(name), add)
    yield
  }
  add('}')
}

/** Members that are sorted, and that are merged, between two pauses. */
const membersPerStep = 256

/** Sorts members by name: an unchecked body may have 13,000 with long names. */
function* sortSteps(members: Member[]): Steps<Member[]> {
  if (members.length <= membersPerStep) return members.sort(byName)
  const middle = members.length >> 1
  const left = yield* sortSteps(members.slice(0, middle))
  const right = yield* sortSteps(members.slice(middle))
  const merged: Member[] = []
  for (let [fromLeft, fromRight] = [0, 0]; merged.length < members.length; ) {
    const [first, other] = [left[fromLeft], right[fromRight]]
    const isLeft = other === undefined || (first !== undefined && byName(first, other) < 0)
    const next = isLeft ? first : other
    if (isLeft) fromLeft += 1
    else fromRight += 1
    if (next !== undefined) merged.push(next)
    if (merged.length % membersPerStep === 0) yield
  }
  return merged
}

/** Adds the text. That of base64 in a body has no escapes. */
function* addDecoded(text: string | Buffer, add: Add): Steps<void> {
  if (typeof text === 'string') yield* addLongText(text, add)
  else yield* addBytes(text, add)
}
