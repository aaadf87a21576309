declare const brand: unique symbol

/**
 * Stands for a long text that was decoded from base64 before its schema runs, because a schema runs in one step. It has no
 * fields that generic code could read by mistake.
 */
export type DecodedText = { readonly [brand]: true }

/**
 * `text` is the text itself, or its bytes in the body: a string of megabytes would cost a collection of garbage. `bytes` is null
 * if the text is not base64.
 */
type Decoded = { text: string | Buffer; bytes: Buffer | null }

const decodedTexts = new WeakMap<object, Decoded>()

export const decodedText = (text: string | Buffer, bytes: Buffer | null): DecodedText => {
  const made = Object.freeze({}) as DecodedText
  decodedTexts.set(made, { text, bytes })
  return made
}

/** Returns what a value stands for; null: it is another value. */
export const decodedOf = (value: unknown): Decoded | null =>
  typeof value === 'object' && value !== null ? (decodedTexts.get(value) ?? null) : null
