import { signedHeaders, webhookKey } from '@postrider/domain/webhooks/signature.ts'
import type { FeedEvent } from './arrivals.ts'
import { wrongUsage } from './failure.ts'

/** Target of signed copies of events, and the secret that signs them. */
export type Target = { url: string; secret: string }

/** `status` null: there was no response. */
export type Forwarded = { status: number | null; error: string | null; durationMs: number }

const timeoutMs = 10_000

/** Reads the URL of `--forward-to`; a port, or a host with a port, is on this machine over http. @throws wrong usage */
export const forwardUrl = (text: string): string => {
  const whole = /^\d+$/.test(text) ? `http://localhost:${text}/` : /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`
  const parsed = URL.canParse(whole) ? new URL(whole) : null
  // `fetch` refuses a URL with credentials each time.
  const isPlain = parsed !== null && parsed.username === '' && parsed.password === ''
  if (isPlain && /^https?:$/.test(parsed.protocol)) return parsed.href
  throw wrongUsage(`--forward-to: ${text} is not a URL, such as http://localhost:3000/webhooks`)
}

/** @throws wrong usage: the text is not a secret */
export const checkedSecret = (text: string): string => {
  if (webhookKey(text) !== null) return text
  throw wrongUsage('--secret: it must be whsec_ and the base64 of 24 to 64 bytes')
}

/** Posts an event with the same bytes and headers as a webhook. */
export const forward = async (
  { url, secret }: Target,
  { id, type, timestamp, data }: Omit<FeedEvent, 'object'>,
  stopped: AbortSignal,
): Promise<Forwarded> => {
  const body = JSON.stringify({ id, type, timestamp, data })
  const begun = performance.now()
  const ended = (status: number | null, error: string | null): Forwarded => ({
    status,
    error,
    durationMs: Math.round(performance.now() - begun),
  })
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...signedHeaders({ secrets: [secret], id, at: Date.now(), body }),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel()
    return ended(response.status, null)
  } catch (thrown) {
    const { cause, message } = thrown as Error & { cause?: { code?: string; message?: string } }
    return ended(null, cause?.message || cause?.code || message)
  }
}

/** Returns whether the target accepted the event: only 2xx is success, as for webhooks. */
export const isDelivered = ({ status }: Forwarded): boolean => status !== null && status >= 200 && status < 300
