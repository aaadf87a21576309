import { createHmac } from 'node:crypto'

/* Signatures of webhooks, as Standard Webhooks 1.0.0 defines them. */

const secretPrefix = 'whsec_'

/** Standard Webhooks accepts keys of 24 to 64 bytes. */
const [minKeyLength, maxKeyLength] = [24, 64]

const keyBytes = 32

/** The names of the header fields, in lower case. Each attempt has its own timestamp; all attempts have one id. */
export const webhookHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const

/**
 * Returns a new secret: `whsec_` and the base64 of 32 random bytes.
 * @param random returns random bytes of a cryptographic generator
 */
export const makeWebhookSecret = (random: (bytes: number) => Uint8Array): string =>
  `${secretPrefix}${Buffer.from(random(keyBytes)).toString('base64')}`

/** Returns the key inside a secret; null: the text is not `whsec_` and the canonical base64 of 24 to 64 bytes. */
export const webhookKey = (secret: string): Buffer | null => {
  if (!secret.startsWith(secretPrefix)) return null
  const text = secret.slice(secretPrefix.length)
  const key = Buffer.from(text, 'base64')
  // Buffer skips characters outside base64; verifiers reject them.
  const isCanonical = key.toString('base64') === text
  return isCanonical && key.length >= minKeyLength && key.length <= maxKeyLength ? key : null
}

export type SignWebhookOptions = {
  /** Newest first. During a rotation there are two, and a receiver accepts the signature of either. */
  secrets: readonly string[]
  /** The id of the event. It contains no dot, because a dot separates the signed parts. */
  id: string
  /** The time of the attempt in milliseconds since the epoch. */
  at: number
  /** The exact text that is sent. */
  body: string
}

/** The time of an attempt as `webhook-timestamp` has it: whole seconds since the epoch. */
export const webhookTimestamp = (at: number): string => String(Math.floor(at / 1_000))

/**
 * Returns the value of `webhook-signature`: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, one per
 * secret, separated by spaces.
 * @throws Error for a text that is no secret, or an id with a dot; the message contains neither
 */
export const signWebhook = ({ secrets, id, at, body }: SignWebhookOptions): string => {
  if (secrets.length === 0) throw new Error('a webhook needs at least one secret')
  if (id.includes('.')) throw new Error('the id of a webhook contains a dot')
  const signed = `${id}.${webhookTimestamp(at)}.${body}`
  return secrets.map((secret) => `v1,${macOf(secret, signed)}`).join(' ')
}

const macOf = (secret: string, signed: string): string => {
  const key = webhookKey(secret)
  if (key === null) throw new Error('the secret is not whsec_ and the base64 of 24 to 64 bytes')
  return createHmac('sha256', key).update(signed).digest('base64')
}

/** Returns the three header fields of one attempt. */
export const signedHeaders = (options: SignWebhookOptions): Record<string, string> => ({
  [webhookHeaders.id]: options.id,
  [webhookHeaders.timestamp]: webhookTimestamp(options.at),
  [webhookHeaders.signature]: signWebhook(options),
})
