import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { assertIterationsBelow } from '../../test/support/cost.ts'
import { openIterationsRig } from '../../test/support/iterationsRig.ts'

type Rig = Awaited<ReturnType<typeof openIterationsRig>>
type Headers = Record<string, string>
type Request = Parameters<Rig['together']>[0][number]

const numbered = <Item>(count: number, item: (number: number) => Item): Item[] =>
  Array.from({ length: count }, (_, number) => item(number))
const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value))
const post = (path: string, body: Uint8Array, headers?: Headers): Request => ({
  method: 'POST',
  path: `/api/v1/${path}`,
  body,
  ...(headers && { headers }),
})
const get = (path: string): Request => ({ method: 'GET', path: `/api/v1/${path}` })

const toRecipients = (count: number) => numbered(count, (number) => `a${number}@example.com`)
const mail = (more: object) => ({ to: ['a@example.com'], subject: 's', text: 't', ...more })
/** Values of a template in a body just below 64 KiB. */
const vars = { a: 1, ...Object.fromEntries(numbered(5_400, (number) => [`k${number.toString(36)}`, 1])) }
const withValues = { to: ['a@example.com'], template_id: 'values', template_vars: vars }
const unknownTemplate = { ...withValues, template_id: 'unknown' }
const batch = (message: (number: number) => unknown) => ({ messages: numbered(100, message) })
const batchTo = (recipients: number) => batch((number) => mail({ subject: `x${number}`, to: toRecipients(recipients) }))
const longTemplate = '{{a.b}}\n'.repeat(4_900)
const html = '&amp;<b>x</b> '.repeat(4_500)
const unknownFields = Object.fromEntries(numbered(1_400, (number) => [`k${number}`, 1]))
const lists = ['emails?limit=100', 'events?limit=100']

/** Returns the requests of the first, second, … try. Their bodies are made before, because that is work as well. */
type Tries = (given: { byKey: Headers; keys: readonly Headers[] }) => (of: number) => Request[]
type Case = [name: string, statuses: readonly number[], tries: Tries]

/** Sends one request several times. */
const repeated =
  (count: number, path: string, value: unknown, headers?: Headers): Tries =>
  () => {
    const body = bytesOf(value)
    return () => numbered(count, () => post(path, body, headers))
  }

const cases: Case[] = [
  ['20 messages with many values to validate', [200], repeated(20, 'emails/validate', withValues)],
  ['20 messages with an unknown template to validate', [200], repeated(20, 'emails/validate', unknownTemplate)],
  [
    'a message with many values to validate for each of 9 workspaces',
    [200],
    ({ keys }) => {
      const body = bytesOf(withValues)
      return () => keys.map((key) => post('emails/validate', body, key))
    },
  ],
  ['20 sends with many values', [202], repeated(20, 'emails', withValues)],
  [
    '20 sends with many values and keys',
    [202],
    ({ byKey }) => {
      const body = bytesOf(withValues)
      const headers = (key: string) => ({ ...byKey, 'idempotency-key': key })
      return (of) => numbered(20, (number) => post('emails', body, headers(`${of}-${number}`)))
    },
  ],
  ['300 sends to 50 recipients', [202], repeated(300, 'emails', mail({ to: toRecipients(50) }))],
  ['20 sends of HTML only', [202], repeated(20, 'emails', mail({ text: undefined, html }))],
  ['20 sends with many unknown fields', [422], repeated(20, 'emails', mail(vars))],
  ['60 batches of messages to 5 recipients', [202], repeated(60, 'emails/batch', batchTo(5))],
  [
    'a batch of messages with many values and a key',
    [202],
    ({ byKey }) => {
      const body = bytesOf(batch(() => withValues))
      return (of) => [post('emails/batch', body, { ...byKey, 'idempotency-key': `batch-${of}` })]
    },
  ],
  [
    '5 batches of messages with an unknown template',
    [422],
    repeated(
      5,
      'emails/batch',
      batch(() => unknownTemplate),
    ),
  ],
  [
    '20 new templates',
    [201],
    () => {
      const body = (name: string) => bytesOf({ name, subject: 's', text_body: longTemplate })
      const made = numbered(5, (of) => numbered(20, (number) => post('templates', body(`${of}-${number}`))))
      return (of) => made[of] ?? []
    },
  ],
  ['20 previews with many values', [200, 503], repeated(20, 'templates/values/preview', { template_vars: vars })],
  ['60 sign-ups with many unknown fields', [422], repeated(60, 'auth/signup', unknownFields, {})],
  ['100 lists of emails and of events', [200, 503], () => () => numbered(100, (of) => get(lists[of % 2] ?? ''))],
  [
    'requests of several kinds and workspaces',
    [200, 202],
    ({ keys }) => {
      const [values, several, short] = [withValues, batchTo(50), mail({ to: toRecipients(50) })].map(bytesOf)
      assert.ok(values && several && short)
      return () => [
        ...numbered(10, () => [post('emails/validate', values), post('emails', values)]).flat(),
        ...numbered(10, () => post('emails/batch', several)),
        ...keys.map((key) => post('emails', short, key)),
      ]
    },
  ],
]

const addTemplate = async ({ call }: Rig, headers: Headers): Promise<void> => {
  const body = bytesOf({ name: 'T', alias: 'values', subject: 's', html_body: '{{a}}' })
  const stored = await call('POST', '/api/v1/templates', { headers, body })
  assert.equal(stored.status, 201, stored.text)
}

/** Returns keys of new workspaces that have the template. */
const openWorkspaces = async (rig: Rig, names: readonly string[]): Promise<Headers[]> => {
  let headers = await rig.session()
  const made = async (path: string, value: unknown) => {
    const response = await rig.call('POST', `/api/v1/${path}`, { headers, body: bytesOf(value) })
    assert.ok([200, 201].includes(response.status), response.text)
    return { ...response, json: JSON.parse(response.text) }
  }
  const keys: Headers[] = []
  for (const name of names) {
    const workspace = (await made('workspaces', { name })).json.id
    const moved = await made('auth/session', { workspace })
    const cookie = moved.headers['set-cookie']?.[0]?.split(';')[0] ?? assert.fail('no cookie')
    headers = { cookie, 'x-csrf-token': moved.json.csrf_token }
    const key = { authorization: `Bearer ${(await made('api-keys', { name, mode: 'test' })).json.key}` }
    await addTemplate(rig, key)
    keys.push(key)
  }
  return keys
}

/** Sends the head of a batch, and waits until the service reads the body. */
const begunBatch = async (port: number, headers: Headers, length: number): Promise<ClientRequest> => {
  const more = { expect: '100-continue', 'content-type': 'application/json', 'content-length': length }
  const path = '/api/v1/emails/batch'
  const sent = request({ port, path, method: 'POST', agent: false, headers: { ...headers, ...more } })
  sent.flushHeaders()
  await once(sent, 'continue')
  return sent
}

// Regression: each request that was short enough to run in one event loop iteration did so, however many others ran in
// it: 20 of them blocked the process for 180 ms.
describe('parallel short requests', () => {
  const opened = { rig: null as Rig | null, keys: [] as readonly Headers[] }
  before(async () => {
    const rig = await openIterationsRig({ POSTRIDER_DEFAULT_PLAN: 'unlimited' })
    opened.rig = rig
    await addTemplate(rig, rig.byKey)
    opened.keys = await openWorkspaces(
      rig,
      numbered(9, (number) => `W${number}`),
    )
  })
  after(() => opened.rig?.[Symbol.asyncDispose]())

  for (const [name, statuses, tries] of cases) {
    it(`do not block the process: ${name}`, async () => {
      const { together, drain, byKey } = opened.rig ?? assert.fail('not open')
      const requests = tries({ byKey, keys: opened.keys })
      let tried = 0
      await assertIterationsBelow(50, async () => {
        const responses = await together(requests(tried++))
        for (const { status, text } of responses) assert.ok(statuses.includes(status), text)
        await drain()
      })
    })
  }

  // Requests that begin have a bound of their own (readTurns.ts). What arrives for those that have begun is all read.
  for (const [name, count, value] of [
    ['20 batches of messages to 50 recipients', 20, batchTo(50)],
    ['40 batches of one message with many values', 40, { messages: [withValues] }],
  ] as const)
    it(`do not block the process when their bodies arrive together: ${name}`, async () => {
      const { port, drain, byKey } = opened.rig ?? assert.fail('not open')
      const body = bytesOf(value)
      let tried = 0
      await assertIterationsBelow(50, async () => {
        const keys = numbered(count, (number) => ({ ...byKey, 'idempotency-key': `${name}-${tried}-${number}` }))
        tried++
        const batches = await Promise.all(keys.map((key) => begunBatch(port, key, body.length)))
        const responses = batches.map((batch) => once(batch.end(body), 'response'))
        for (const [response] of await Promise.all(responses)) assert.equal(response.resume().statusCode, 202)
        await drain()
      })
    })
})
