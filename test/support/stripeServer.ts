import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

type Fields = Record<string, string>
export type StripeSession = Fields & { id: string }

/**
 * A server on loopback that speaks the part of Stripe's protocol that the adapter uses, and signs events as Stripe
 * does.
 */
export type StripeServer = AsyncDisposable & {
  url: string
  /** Requests so far: method, path, fields and key. */
  requests: { path: string; fields: Fields; authorization: string; idempotencyKey: string }[]
  sessions: Map<string, StripeSession>
  /** Answers of the next requests, instead of the usual ones: an HTTP status. */
  failures: number[]
  /** The saved cards of customers, the newest first. */
  cards: Map<string, string[]>
  /** Results of the next charges, instead of a success: an error code of Stripe, or `processing`. */
  charges: string[]
  /** Payments of invoices. */
  intents: Map<string, Intent>
  /** Returns the body and the signature of an event about a payment of an invoice. */
  intentEvent(type: string, intent: string, at: number): { body: Buffer; signature: string }
  /** Returns the body and the signature of an event about a session. */
  event(type: string, session: string, over?: Record<string, unknown>, at?: number): { body: Buffer; signature: string }
}

type Intent = Fields & { id: string; status: string }

export const stripeSecrets = { secretKey: 'sk_test_0123456789abcdef', webhookSecret: 'whsec_0123456789abcdef' }

const object = (session: StripeSession, over: Record<string, unknown> = {}) => ({
  object: 'checkout.session',
  id: session.id,
  url: `https://checkout.stripe.test/${session.id}`,
  status: session['status'] ?? 'open',
  payment_status: 'unpaid',
  customer: session['customer'] ?? null,
  amount_total: Number(session['line_items[0][price_data][unit_amount]']),
  metadata: Object.fromEntries(
    ['product', 'workspace', 'plan', 'invoice'].map((name) => [name, session[`metadata[${name}]`] ?? '']),
  ),
  ...over,
})

const intentObject = (intent: Intent) => ({
  object: 'payment_intent',
  id: intent.id,
  status: intent.status,
  customer: intent['customer'],
  amount_received: intent.status === 'succeeded' ? Number(intent['amount']) : 0,
  metadata: Object.fromEntries(
    ['product', 'workspace', 'invoice', 'collects'].map((name) => [name, intent[`metadata[${name}]`] ?? '']),
  ),
})

type Answer = [status: number, body: object]

/** Payments of invoices, each with one success at most, and the saved cards. */
const intentServer = () => {
  const [intents, cards] = [new Map<string, Intent>(), new Map<string, string[]>()]
  const charges: string[] = []
  const byKey = new Map<string, string>()
  const replies = new Map<string, { card: string; answer: Answer }>()

  const create = (fields: Fields, key: string): Answer => {
    const id = byKey.get(key) ?? `pi_${randomBytes(8).toString('hex')}`
    byKey.set(key, id)
    const intent = intents.get(id) ?? { ...fields, id, status: 'requires_payment_method' }
    intents.set(id, intent)
    return [200, intentObject(intent)]
  }
  const confirm = (intent: Intent): Answer => {
    if (!intent.status.startsWith('requires_'))
      return [400, { error: { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' } }]
    const result = charges.shift() ?? 'succeeded'
    if (result !== 'succeeded' && result !== 'processing')
      return [402, { error: { type: 'card_error', code: result, message: 'Your card was declined.' } }]
    intent.status = result
    return [200, intentObject(intent)]
  }
  /** A repeated key gets the first response, and is refused with other parameters. */
  const confirmOnce = (intent: Intent, { payment_method: card = '', off_session }: Fields, key: string): Answer => {
    const known = replies.get(key)
    if (known !== undefined && known.card !== card) return [400, { error: { type: 'idempotency_error' } }]
    const answer = known?.answer ?? (off_session === 'true' && card !== '' ? confirm(intent) : notFound())
    replies.set(key, { card, answer })
    return answer
  }
  const notFound = (): Answer => [404, { error: { type: 'invalid_request_error', message: 'No such object.' } }]
  /** @returns null: the path is another one */
  const answer = (path: string, fields: Fields, key: string): Answer | null => {
    if (path === '/v1/payment_intents') return create(fields, key)
    const [, id = '', action = ''] = /^\/v1\/payment_intents\/(\w+)(\/confirm)?$/.exec(path) ?? []
    const intent = intents.get(id)
    if (intent !== undefined) return action === '' ? [200, intentObject(intent)] : confirmOnce(intent, fields, key)
    const [, customer, list = ''] = /^\/v1\/customers\/(\w+)(\/payment_methods)?(?:\?.*)?$/.exec(path) ?? []
    if (customer === undefined) return null
    if (list === '')
      return [200, { object: 'customer', id: customer, invoice_settings: { default_payment_method: null } }]
    const data = (cards.get(customer) ?? []).map((card) => ({ object: 'payment_method', id: card }))
    return [200, { object: 'list', data, has_more: false }]
  }
  return { intents, cards, charges, answer }
}

/** Stripe's errors may quote the key. */
const errorOf = (status: number): object =>
  status < 500 ? { type: 'invalid_request_error', message: `No such object for ${stripeSecrets.secretKey}.` } : {}

export const startStripeServer = async (): Promise<StripeServer> => {
  const sessions = new Map<string, StripeSession>()
  const byKey = new Map<string, string>()
  const failures: number[] = []
  const requests: StripeServer['requests'] = []

  const { intents, cards, charges, answer: answerIntent } = intentServer()

  const answer = (path: string, fields: Fields, key: string): Answer => {
    const expired = /^\/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(path)?.[1]
    if (path === '/v1/checkout/sessions') {
      const id = byKey.get(key) ?? `cs_test_${randomBytes(8).toString('hex')}`
      byKey.set(key, id)
      const session = { ...fields, id }
      sessions.set(id, session)
      return [200, object(session)]
    }
    const session = sessions.get(expired ?? '')
    if (session?.['status'] === 'complete') return [400, { error: { type: 'invalid_request_error' } }]
    if (session !== undefined) {
      session['status'] = 'expired'
      return [200, object(session)]
    }
    const read = sessions.get(/^\/v1\/checkout\/sessions\/(\w+)$/.exec(path)?.[1] ?? '')
    if (read !== undefined) return [200, object(read)]
    const ofIntent = answerIntent(path, fields, key)
    if (ofIntent !== null) return ofIntent
    if (path === '/v1/billing_portal/sessions')
      return [200, { object: 'billing_portal.session', url: `https://portal.stripe.test/${fields['customer']}` }]
    return [404, { error: { type: 'invalid_request_error', message: 'No such object.' } }]
  }

  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const fields = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
    const path = request.url ?? ''
    const idempotencyKey = String(request.headers['idempotency-key'] ?? '')
    requests.push({ path, fields, authorization: String(request.headers.authorization), idempotencyKey })
    const failure = failures.shift()
    const [status, body] =
      failure === undefined ? answer(path, fields, idempotencyKey) : [failure, { error: errorOf(failure) }]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    sessions,
    failures,
    intents,
    cards,
    charges,
    intentEvent: (type, id, at) => {
      const intent = intents.get(id) ?? { id, status: 'canceled' }
      const event = {
        id: `evt_${randomBytes(8).toString('hex')}`,
        object: 'event',
        type,
        data: { object: intentObject(intent) },
      }
      return signed(JSON.stringify(event), at)
    },
    event: (type, id, over = {}, at = Date.now()) => {
      const session: StripeSession = sessions.get(id) ?? { id }
      if (over['status'] === 'complete') session['status'] = 'complete'
      const event = {
        id: `evt_${randomBytes(8).toString('hex')}`,
        object: 'event',
        type,
        data: { object: object(session, over) },
      }
      return signed(JSON.stringify(event), at)
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Signs as https://docs.stripe.com/webhooks#verify-manually describes. @param at milliseconds since the epoch */
export const signed = (text: string, at: number, secret = stripeSecrets.webhookSecret) => {
  const time = Math.floor(at / 1_000)
  const mac = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
  return { body: Buffer.from(text), signature: `t=${time},v1=${mac}` }
}
