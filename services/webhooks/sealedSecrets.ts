import { randomBytes } from 'node:crypto'
import { type WebhookEndpoint, type WebhookSecret, webhookSecretContext } from '@postrider/domain/webhooks/endpoint.ts'
import { signingSecrets } from '@postrider/domain/webhooks/secrets.ts'
import { makeWebhookSecret } from '@postrider/domain/webhooks/signature.ts'
import { requireOpened, type SecretBox } from '@postrider/kit/secretBox.ts'
import type { WebhookEndpointStore } from '@postrider/ports/webhookEndpoints.ts'

/** Returns what an operator reads about a secret. */
const nameOf = ({ id }: Pick<WebhookEndpoint, 'id'>): string => `the signing secret of webhook ${id}`

/** Makes a signing secret. @returns its text, which is shown once, and its stored form */
export const newSecret = (
  box: SecretBox,
  endpoint: Pick<WebhookEndpoint, 'id'>,
  now: number,
): { text: string; secret: WebhookSecret } => {
  const text = makeWebhookSecret(randomBytes)
  const id = randomBytes(6).toString('hex')
  const sealed = { secretId: box.secretId, box: box.seal(Buffer.from(text), webhookSecretContext(endpoint, { id })) }
  return { text, secret: { id, sealed, createdAt: now, expiresAt: null } }
}

/**
 * Returns the secrets that sign now, the current one first.
 * @throws Fault `conflict`: one cannot be decrypted
 */
export const openSecrets = (box: SecretBox, endpoint: WebhookEndpoint, now: number): string[] =>
  signingSecrets(endpoint, now).map((secret) => opened(box, endpoint, secret).toString())

const opened = (box: SecretBox, endpoint: WebhookEndpoint, secret: WebhookSecret): Buffer =>
  requireOpened(box.open(secret.sealed.box, webhookSecretContext(endpoint, secret)), nameOf(endpoint))

/** Endpoints of one round. */
const roundSize = 100

/**
 * Encrypts every signing secret under the current master key, so that a former one can be removed from the
 * configuration. Each is one guarded write; an endpoint that changes in between is found again.
 * @returns how many endpoints were written
 */
export const resealAll = async (
  box: SecretBox,
  endpoints: Pick<WebhookEndpointStore, 'sealedByOthers' | 'write'>,
): Promise<number> => {
  for (let count = 0; ; ) {
    const found = await endpoints.sealedByOthers(box.secretId, roundSize)
    if (found.length === 0) return count
    for (const { endpoint, rev } of found) {
      const change = { endpoint: resealed(box, endpoint), restart: false }
      if (await endpoints.write(endpoint.id, rev, change, [])) count += 1
    }
  }
}

const resealed = (box: SecretBox, endpoint: WebhookEndpoint): WebhookEndpoint => ({
  ...endpoint,
  secrets: endpoint.secrets.map((secret) => {
    if (secret.sealed.secretId === box.secretId) return secret
    const plain = opened(box, endpoint, secret)
    const sealed = { secretId: box.secretId, box: box.seal(plain, webhookSecretContext(endpoint, secret)) }
    plain.fill(0)
    return { ...secret, sealed }
  }),
})
