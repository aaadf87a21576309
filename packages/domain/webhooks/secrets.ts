import { dayMs } from '../time.ts'
import type { WebhookEndpoint, WebhookSecret } from './endpoint.ts'

/** Time for which a replaced secret signs, next to the new one. */
const overlapMs = dayMs

/** Returns the secrets that sign at a time, the current one first: at most two. */
export const signingSecrets = ({ secrets }: Pick<WebhookEndpoint, 'secrets'>, now: number): WebhookSecret[] =>
  secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).slice(0, 2)

/**
 * Returns an endpoint with a new secret. The current one signs for 24 h more; a secret that was replaced earlier stops
 * signing, so that at most two are valid.
 */
export const withNewSecret = (endpoint: WebhookEndpoint, secret: WebhookSecret, now: number): WebhookEndpoint => {
  const [current] = endpoint.secrets
  const former = current ? [{ ...current, expiresAt: now + overlapMs }] : []
  return { ...endpoint, secrets: [secret, ...former], updatedAt: now }
}

/** Returns an endpoint without the secrets that have expired; the same one if there is none. */
export const withoutExpired = (endpoint: WebhookEndpoint, now: number): WebhookEndpoint => {
  const secrets = signingSecrets(endpoint, now)
  return secrets.length === endpoint.secrets.length ? endpoint : { ...endpoint, secrets }
}
