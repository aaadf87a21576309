/** The key of what a `DecodedText` stands for. No name of a JSON member is equal to it. */
const decoded = Symbol('decoded')

/**
 * Stands for a long text that was decoded from base64 before its schema runs, because a schema runs in one step. It has
 * no enumerable fields that generic code could read by mistake.
 */
export type DecodedText = { readonly [decoded]: Decoded }

/**
 * `text` is the text itself, or its bytes in the body: a string of megabytes would cost a collection of garbage.
 * `bytes` is null if the text is not base64.
 */
export type Decoded = { text: string | Buffer; bytes: Buffer | null }

export const decodedText = (text: string | Buffer, bytes: Buffer | null): DecodedText =>
  Object.freeze(Object.defineProperty({}, decoded, { value: { text, bytes } })) as DecodedText

/** Returns what a value stands for; null: it is another value. */
export const decodedOf = (value: unknown): Decoded | null =>
  typeof value === 'object' && value !== null && decoded in value ? (value as DecodedText)[decoded] : null
