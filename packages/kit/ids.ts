import { createHash, randomFillSync, randomInt } from 'node:crypto'
import { base32Digits } from '@postrider/domain/ids.ts'

export type IdPrefix =
  | 'em'
  | 'tpl'
  | 'dom'
  | 'key'
  | 'ws'
  | 'usr'
  | 'wh'
  | 'evt'
  | 'dlv'
  | 'req'
  | 'att'
  | 'aud'
  | 'inv'
  | 'in'
  | 'adj'
  | 'pay'
  | 'ses'
  | 'era'
  | 'rpl'
  | 'bat'

/** Two digits of base32, by their 10 bits. */
const pairs = Array.from(
  { length: 1_024 },
  (_, bits) => `${base32Digits.charAt(bits >> 5)}${base32Digits.charAt(bits & 31)}`,
)
const pair = (bits: number): string => pairs[bits & 1_023] ?? ''

/** Returns a function that returns two random digits. The numbers are drawn from the system for many ids at a time. */
const randomPairs = (): (() => string) => {
  const numbers = new Uint16Array(1_536)
  let drawn = numbers.length
  return () => {
    if (drawn === numbers.length) {
      randomFillSync(numbers)
      drawn = 0
    }
    return pair(numbers[drawn++] ?? 0)
  }
}

/** Ids of one millisecond are counted in 14 bits from a random start in the lower half (RFC 9562 §6.2, method 1). */
const counterBits = 14
/** The time of ids does not follow a clock that goes back by less. */
const backMs = 10_000

/**
 * Returns a function that makes TypeIDs: the prefix and a base32 UUIDv7 (RFC 9562 §5.7). They sort by creation, unless
 * the clock goes back by 10 s. They are written digit by digit, because every email has several: the library
 * `typeid-js` takes ten times as long, and loading its 23 modules takes 2 % of the start of a process.
 */
export const makeIds = (now: () => number): ((prefix: IdPrefix) => string) => {
  const randomPair = randomPairs()
  let [time, timeDigits, counter] = [-1, '', 0]
  const advance = (at: number): void => {
    counter += 1
    const isSame = at <= time && time - at < backMs
    if (isSame && counter < 2 ** counterBits) return
    // A full counter carries into the time.
    time = isSame ? time + 1 : at
    counter = randomInt(2 ** (counterBits - 1))
    const [high, low] = [Math.floor(time / 2 ** 30), time % 2 ** 30]
    timeDigits = `${pair(high >> 10)}${pair(high)}${pair(low >> 20)}${pair(low >> 10)}${pair(low)}`
  }
  return (prefix) => {
    advance(now())
    // Version 7, 12 bits of the counter, the variant 0b10, 2 bits of the counter.
    const high = (7 << 6) | (counter >> 8)
    const low = (((counter >> 2) & 63) << 4) | 0b1000 | (counter & 3)
    const random = `${randomPair()}${randomPair()}${randomPair()}${randomPair()}${randomPair()}${randomPair()}`
    return `${prefix}_${timeDigits}${pair(high)}${pair(low)}${random}`
  }
}

/** Returns a new id of this process. */
export const newId = makeIds(Date.now)

const idShape = /^[a-z]{2,3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** Returns whether a text has the form of such an id; checked before a lookup, so malformed ids never reach a store. */
export const isId = (prefix: IdPrefix, text: string): boolean => text.startsWith(`${prefix}_`) && idShape.test(text)

/** Returns 16 octets as the 26 digits of a TypeID, which have 130 bits: two zeros come first. */
const digitsOf = (uuid: Uint8Array): string => {
  let [text, bits, count] = ['', 0, 2]
  for (const octet of uuid) {
    bits = (bits << 8) | octet
    count += 8
    if (count < 10) continue
    count -= 10
    text += pair(bits >> count)
  }
  return text
}

/**
 * Returns the id of a record that is stored without one: always the same for the same record.
 * @param at its creation in milliseconds since the epoch
 * @param bytes at least 10, which only this record has; they are visible in the id
 */
export const idOf = (prefix: IdPrefix, at: number, bytes: Uint8Array): string => {
  const uuid = new Uint8Array(16)
  const view = new DataView(uuid.buffer)
  view.setUint16(0, Math.floor(at / 2 ** 32))
  view.setUint32(2, at % 2 ** 32)
  uuid.set(bytes.subarray(0, 10), 6)
  // Version 7 and the variant of RFC 9562 §5.7.
  view.setUint8(6, (view.getUint8(6) & 0x0f) | 0x70)
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80)
  return `${prefix}_${digitsOf(uuid)}`
}

/**
 * Returns the id of a record that follows from its cause, so that a repetition or another process gives it the same id.
 * @param at its creation in milliseconds since the epoch; 0 if a repeated call does not have it
 * @param cause its parts are joined
 */
export const derivedId = (prefix: IdPrefix, at: number, ...cause: readonly (string | Uint8Array)[]): string =>
  idOf(prefix, at, cause.reduce((hash, part) => hash.update(part), createHash('sha256')).digest())
