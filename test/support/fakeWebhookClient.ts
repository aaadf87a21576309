import { readRetryAfter } from '@postrider/domain/webhooks/schedule.ts'
import { checkWebhookUrl, type WebhookRules, webhookRules } from '@postrider/domain/webhooks/url.ts'
import type { SeenWebhook, WebhookReceiver, WebhookReply } from '@postrider/ports/webhookClient.conformance.ts'
import type { FailReason, WebhookClient, WebhookRequest, WebhookResult } from '@postrider/ports/webhookClient.ts'

/** A webhook client without a network. It passes the conformance suite of the port. */
export type FakeWebhookClient = WebhookClient & {
  /** Adds a receiver with a URL of its own. */
  receive(reply: (seen: SeenWebhook) => WebhookReply | Promise<WebhookReply>): WebhookReceiver
}

export type FakeWebhookClientOptions = {
  rules?: WebhookRules
  /** The timer of one attempt. @returns a function that ends it */
  after?: (ms: number, then: () => void) => () => void
  totalMs?: number
  /** For dates of `Retry-After` and durations. */
  now?: () => number
}

const systemAfter = (ms: number, then: () => void): (() => void) => {
  const timer = setTimeout(then, ms)
  return () => clearTimeout(timer)
}

const keptBytes = 4_096
const firstPort = 40_000

const details: Readonly<Record<string, string>> = {
  connect: 'the host refused the connection',
  response: 'the connection ended before the response was complete',
  stopped: 'the attempt was stopped',
  timeout: 'there was no complete response within the time limit',
}

type Undated<Result> = Result extends WebhookResult ? Omit<Result, 'durationMs'> : never

const failed = (reason: FailReason): Undated<WebhookResult> => ({
  kind: 'failed',
  reason,
  detail: details[reason] ?? '',
})

export const fakeWebhookClient = ({
  rules = webhookRules({ allow: ['127.0.0.0/8'] }),
  after = systemAfter,
  totalMs = 10_000,
  now = Date.now,
}: FakeWebhookClientOptions = {}): FakeWebhookClient => {
  type Reply = (seen: SeenWebhook) => WebhookReply | Promise<WebhookReply>
  const receivers = new Map<string, { receiver: WebhookReceiver; reply: Reply }>()
  const closing = new AbortController()

  const exchange = async ({ url, headers, body }: WebhookRequest): Promise<Undated<WebhookResult> | null> => {
    const { origin, pathname, search } = new URL(url)
    const found = receivers.get(origin)
    if (found === undefined) return failed('connect')
    const bytes = Buffer.from(body)
    const sent = { ...headers, 'accept-encoding': 'identity', 'content-length': String(bytes.length) }
    const seen = { method: 'POST', path: `${pathname}${search}`, headers: sent, body: bytes.toString() }
    found.receiver.seen.push(seen)
    const { end = 'whole', ...reply } = await found.reply(seen)
    if (end === 'never') return null
    return answerOf(reply, { isWhole: end === 'whole', now })
  }

  const post = async (request: WebhookRequest): Promise<Undated<WebhookResult>> => {
    const isStopped = (): boolean => closing.signal.aborted || request.signal?.aborted === true
    if (isStopped()) return failed('stopped')
    const checked = checkWebhookUrl(request.url, rules)
    if (checked.kind === 'refused') return { kind: 'blocked', reason: 'url', detail: `the URL ${checked.reason}` }
    const { promise, resolve } = Promise.withResolvers<Undated<WebhookResult>>()
    const onStop = (): void => resolve(failed('stopped'))
    const signals = [closing.signal, ...(request.signal ? [request.signal] : [])]
    for (const signal of signals) signal.addEventListener('abort', onStop, { once: true })
    const cancel = after(totalMs, () => resolve(failed('timeout')))
    void exchange({ ...request, url: checked.target.url }).then((result) => result && resolve(result))
    try {
      return await promise
    } finally {
      cancel()
      for (const signal of signals) signal.removeEventListener('abort', onStop)
    }
  }

  return {
    post: async (request) => {
      const startedAt = now()
      return { ...(await post(request)), durationMs: Math.round(now() - startedAt) }
    },
    close: async () => closing.abort(),
    receive: (reply) => {
      const origin = `http://127.0.0.1:${firstPort + receivers.size}`
      const receiver: WebhookReceiver = { url: `${origin}/`, seen: [] }
      receivers.set(origin, { receiver, reply })
      return receiver
    },
  }
}

const answerOf = (
  { status = 200, headers = {}, body = '' }: WebhookReply,
  { isWhole, now }: { isWhole: boolean; now: () => number },
): Undated<WebhookResult> => {
  if (!isWhole) return { ...failed('response'), status } as Undated<WebhookResult>
  const bytes = new Uint8Array(Buffer.from(body))
  const wait = readRetryAfter(headers['retry-after'] ?? '', now())
  const response = { status, headers, body: bytes.slice(0, keptBytes), isBodyCut: bytes.length > keptBytes }
  return { kind: 'answered', ...response, ...(wait !== null && { retryAfterMs: wait }) }
}
