import assert from 'node:assert/strict'
import type {
  Captured,
  CapturedPage,
  CheckRequest,
  EmailsPage,
  EventsPage,
  Intake,
  IntakeRpc,
  ListEmailsRequest,
  ListEventsRequest,
  MailRequest,
  ParkedEmail,
  SubmitReply,
} from '@postrider/contracts/services.ts'
import { intakeSpec } from '@postrider/contracts/services.ts'
import { encodedCalls } from '../../../test/support/encodedCalls.ts'
import { caller, listRequest, mail, reader, request, withKey } from '../../../test/support/testIntake.ts'
import { intakeClient, intakeHandlers } from './intake.ts'
import { readerMessage } from './intakeReads.ts'

const at = Date.UTC(2026, 10, 21, 12, 0, 0, 7)
const ann = { name: 'Ann', address: 'ann@example.com' }

/** Every field, so that a new one is not lost on its way. */
const full: Required<MailRequest> = {
  from: ann,
  to: [ann],
  cc: [ann],
  bcc: [{ name: '', address: 'bob@example.com' }],
  replyTo: [ann],
  subject: 'Hello',
  html: '<p>Hello</p>',
  text: '',
  template: { id: 'tpl_1', vars: { name: 'Ann', items: [1, null, { deep: true }] }, version: 3 },
  domainId: 'dom_1',
  headers: { 'X-A': '1', 'X-B': '2' },
  attachments: [
    { filename: 'a.txt', contentType: 'text/plain', contentId: null, content: Buffer.from('a') },
    { filename: 'b.png', contentType: 'image/png', contentId: 'logo', content: Buffer.from([0, 255]) },
  ],
  tags: { team: 'blue' },
  metadata: { order: '17' },
  sendAt: { at },
  expiresInMs: 600_000,
  onUnknown: 'hold',
  category: 'marketing',
  topic: 'news',
  retention: 7,
}

const reply: SubmitReply = { id: 'em_1', status: 202, bodyJson: '{}', replayed: false, quota: null }

/** Calls a fake intake through encoded gRPC messages. @returns what it received and what it returned */
const crossing = async <Method extends keyof Intake & keyof IntakeRpc>(
  method: Method,
  message: Parameters<Intake[Method]>[0],
  response: Awaited<ReturnType<Intake[Method]>>,
) => {
  const received: unknown[] = []
  const fake = {
    [method]: async (request: unknown) => {
      received.push(request)
      return response
    },
  } as unknown as Intake
  const client = intakeClient(encodedCalls(intakeSpec, intakeHandlers(fake)))
  const call = client[method] as (request: unknown) => Promise<unknown>
  return { answered: await call(message), received }
}

describe('intake over gRPC messages', () => {
  const requests = {
    'a request with every part': request({ mail: full, ...withKey('order-1') }),
    'a request with as little as possible': request(),
    'the id of the email': request({ emailId: 'em_1' }),
    'a caller whose workspace will be deleted': request({
      caller: { ...caller(), suspended: true, deletesAt: at, retention: 7 },
    }),
    'a delay': request({ mail: mail({ sendAt: { inMs: 3_600_000 }, onUnknown: 'retry' }) }),
  }
  for (const [name, message] of Object.entries(requests)) {
    it(`Submit passes on ${name}`, async () => {
      assert.deepEqual((await crossing('Submit', message, reply)).received, [message])
    })
  }

  it('Submit returns the reply with and without a quota', async () => {
    const quota = { limit: 5_000_000_000, remaining: 3, resetsAt: at, resetsInMs: 43_199_001 }
    for (const response of [reply, { ...reply, quota, replayed: true }]) {
      assert.deepEqual((await crossing('Submit', request(), response)).answered, response)
    }
  })

  it('StageBatch passes on a part of a batch with and without a key', async () => {
    const first = { caller: caller(), staged: null, mails: [{ number: 3, mail: mail() }], requestId: 'req_1' }
    const keyed = { key: 'order-1', operation: 'POST /api/v1/emails/batch' }
    const response = { staged: { id: 'bat_1', at }, refusals: [] }
    for (const message of [first, { ...first, staged: { id: 'bat_1', at }, keyed }]) {
      const { answered, received } = await crossing('StageBatch', message, response)
      assert.deepEqual([answered, received], [response, [message]])
    }
  })

  it('Check passes on the fields that are present, and returns the problems', async () => {
    const nothing: CheckRequest = {
      caller: caller(),
      template: null,
      from: null,
      domainId: null,
      sendAt: null,
      category: 'marketing',
      to: [],
      cc: [],
      bcc: [],
    }
    const problems = [{ path: 'a', code: 'b', message: 'c' }]
    const messages: CheckRequest[] = [
      nothing,
      { ...nothing, template: { id: 'tpl_1', vars: null }, sendAt: { inMs: 1 } },
      { ...nothing, template: { id: 'tpl_1', vars: { a: 1 } }, domainId: 'dom_1', sendAt: { at } },
      { ...nothing, from: { name: 'Ann', address: 'ann@example.com' } },
      { ...nothing, to: [{ name: '', address: 'ann@example.com' }], bcc: [{ name: '', address: '' }] },
    ]
    for (const message of messages) {
      const { answered, received } = await crossing('Check', message, { problems })
      assert.deepEqual([answered, received], [{ problems }, [message]])
    }
  })

  it('reads pass on their reader and what they are limited to', async () => {
    const limited = reader({ mode: 'test', sentBy: 'key_1', recipients: ['example.com'], domains: ['example.org'] })
    const changer = { ...reader(), clientAddress: '203.0.113.9', operator: 'usr_2' }
    for (const who of [reader(), limited, changer]) {
      const request = { reader: who, id: 'em_1' }
      const record = { record_json: '{}' }
      for (const method of ['GetEmail', 'ExplainEmail', 'CancelEmail'] as const)
        assert.deepEqual((await crossing(method, request, record)).received, [request])
      const sendAt = { inMs: 5 }
      assert.deepEqual((await crossing('RescheduleEmail', { ...request, sendAt }, record)).received, [
        { ...request, sendAt },
      ])
      const decision = { ...request, as: 'retry' } as const
      assert.deepEqual((await crossing('ResolveEmail', decision, record)).received, [decision])
      const range = { reader: who, from: null, to: null, bucket: null, by: 'status' } as const
      const hours = { ...range, from: at, to: at + 1, bucket: 'hour', by: 'tag' } as const
      for (const one of [range, hours])
        assert.deepEqual((await crossing('ReadStats', one, { stats_json: '{}' })).received, [one])
    }
  })

  it('ListEmails passes on its filters and times', async () => {
    const page = { recordsJson: ['{}'], lastId: 'em_1', hasMore: true }
    const filtered = listRequest({
      before: 'em_2',
      status: 'delivered',
      to: 'a@example.com',
      from: 'b@example.com',
      subject: '50 %',
      templateId: 'tpl_1',
      tag: { name: 'a', value: 'b:c' },
      category: 'marketing',
      createdAfter: at,
      createdBefore: at + 1,
    })
    const calls: [ListEmailsRequest, EmailsPage][] = [
      [listRequest(), { recordsJson: [], lastId: null, hasMore: false }],
      [filtered, page],
    ]
    for (const [message, response] of calls) {
      const { answered, received } = await crossing('ListEmails', message, response)
      assert.deepEqual([answered, received], [response, [message]])
    }
  })

  it('ListEvents names the events in the order of arrival', async () => {
    const arrival = { complete: { at, id: 'evt_1' }, seen: { at, id: 'evt_2' }, digest: 'd' }
    const arrived = [{ type: 'email.delivered' as const, id: 'evt_2', at }]
    const page = { eventsJson: ['{"id":"evt_2"}'], position: { at, id: 'evt_2' }, hasMore: false, arrival, arrived }
    const query = { reader: { workspace: 'ws_1', mode: null }, types: null, limit: 20 }
    const calls: [ListEventsRequest, EventsPage][] = [
      [{ ...query, order: 'arrival', after: null, arrival }, page],
      [
        { ...query, types: ['email.delivered'], order: 'desc', after: { at, id: 'evt_3' }, arrival: null },
        { ...page, arrival: null, arrived: [] },
      ],
    ]
    for (const [message, response] of calls) {
      const { answered, received } = await crossing('ListEvents', message, response)
      assert.deepEqual(answered, response)
      const [read] = received as ListEventsRequest[]
      assert.deepEqual({ ...read, reader: { workspace: read?.reader.workspace, mode: read?.reader.mode } }, message)
    }
  })

  // Without a known type it would read events of all types.
  it('ListEvents reads no event for types that this release does not know', async () => {
    const received: ListEventsRequest[] = []
    const page = { eventsJson: [], position: { at, id: '' }, hasMore: false, arrival: null, arrived: [] }
    const fake = {
      ListEvents: async (request: ListEventsRequest) => {
        received.push(request)
        return page
      },
    }
    const { ListEvents } = intakeHandlers(fake as unknown as Intake)
    const message = { reader: readerMessage(reader()), order: 'asc', after_id: '', limit: 1, arrival: null }
    await ListEvents({ ...message, types: ['email.unheard'] })
    await ListEvents({ ...message, types: [] })
    assert.deepEqual(
      received.map(({ types }) => types),
      [[], null],
    )
  })

  it('ListEvents reads the events of an intake that names them in their JSON only', async () => {
    const events_json = ['{"object":"event","id":"evt_2","type":"email.sent"}']
    const old = { ListEvents: async () => ({ events_json, events_at: [at] }) } as unknown as IntakeRpc
    const reads = { reader: reader(), types: null, limit: 20 }
    const request = { ...reads, order: 'arrival', after: null, arrival: null } as const
    const { arrived } = await intakeClient(encodedCalls(intakeSpec, old)).ListEvents(request)
    assert.deepEqual(arrived, [{ id: 'evt_2', type: 'email.sent', at }])
  })
})

describe('times of intake over gRPC messages', () => {
  const person = { workspace: 'ws_1', address: 'ann@example.com', actor: 'usr_1', client_address: '' }
  const decision = { id: 'em_1', client_address: '' }

  it('arrive as numbers or null for erasures and removals', async () => {
    const running = { id: 'era_1', done: false, created_at: at, completed_at: null, emails: 1, waiting: 1 }
    const done = { ...running, done: true, completed_at: at + 1 }
    const classes = [
      { step: 'content', due: 1, due_since: at },
      { step: 'record', due: 0, due_since: null },
    ]
    const report = { classes, content_days: 30, record_days: 90, attachment_days: 3 }
    assert.deepEqual((await crossing('CreateErasure', person, running)).answered, running)
    assert.deepEqual((await crossing('GetErasure', { workspace: 'ws_1', id: 'era_1' }, done)).answered, done)
    assert.deepEqual((await crossing('GetRetention', {}, report)).answered, report)
  })

  it('arrive as numbers or null for parked mail and queues', async () => {
    const parked: ParkedEmail = {
      ...{ id: 'em_1', workspace: 'ws_1', mode: 'live', category: 'marketing', status: 'queued', on_unknown: 'hold' },
      ...{ attempts: 1, may_have_arrived: true, recipients: 1, domains: ['example.com'] },
      ...{ created_at: at, parked_at: at + 1, last_attempt_at: at + 2 },
    }
    const released = { ...parked, parked_at: null, last_attempt_at: null }
    const page = { emails: [parked, released], position: null, hasMore: false }
    const last = { ...page, position: { at, id: 'em_1' }, hasMore: true }
    const counts = { due: 1, waiting: 1, scheduled: 0, test: 0, bytes: 7 }
    const lanes = [
      { lane: 'transactional', oldest_due_at: at, ...counts },
      { lane: 'marketing', oldest_due_at: null, ...counts },
    ]
    const destinations = [{ domain: 'example.com', recipients: 1, due: 1, deferred: 0, next_at: at }]
    const queues = { lanes, parked: 1, destinations, sampled: 1, sample_limit: 200 }
    for (const [before, response] of [
      [null, page],
      [{ at, id: 'em_2' }, last],
    ] as const) {
      const { answered, received } = await crossing('ListParked', { limit: 2, before }, response)
      assert.deepEqual([answered, received], [response, [{ limit: 2, before }]])
    }
    assert.deepEqual((await crossing('ReleaseParked', decision, released)).answered, released)
    assert.deepEqual((await crossing('DropParked', decision, released)).answered, released)
    assert.deepEqual((await crossing('GetQueues', {}, queues)).answered, queues)
  })

  it('arrive as numbers for captured mail and removed attachments', async () => {
    const captured: Captured = {
      ...{ id: 'att_1', emailId: 'em_1', workspace: 'ws_1', mode: 'test', from: 'a@example.com' },
      ...{ at, to: ['b@example.com'], subject: 'Hello' },
    }
    const file = { filename: 'a.txt', contentType: 'text/plain', contentId: null, size: null }
    const image = { ...file, contentId: 'logo', size: 1, content: Buffer.from('x') }
    const parts = { html: null, text: null, attachments: [file, image] }
    const message = { captured, raw: Buffer.from('raw'), ...parts }
    const whole = { subject: 'Hello', headers: {}, ...parts, attachmentsRemovedAt: null }
    for (const owner of [{ workspace: 'ws_1' }, 'every_workspace'] as const) {
      const first = { of: owner, before: null, limit: 1 }
      const search = { of: owner, before: 'att_2', limit: 1, query: 'x' }
      const pages: CapturedPage[] = [
        { captured: [captured] },
        { captured: [], end: { hasMore: true, lastId: 'att_1' } },
        { captured: [], end: { hasMore: false, lastId: null } },
      ]
      for (const [list, page] of pages.map((page, number) => [number === 0 ? first : search, page] as const)) {
        const { answered, received } = await crossing('ListCaptured', list, page)
        assert.deepEqual([answered, received], [page, [list]])
      }
      const one = { of: owner, id: 'att_1', inlineImages: true, attachment: 0 }
      const { answered, received } = await crossing('GetCaptured', one, message)
      assert.deepEqual([answered, received], [message, [one]])
    }
    for (const content of [whole, { ...whole, html: '', text: 'x', attachmentsRemovedAt: at }]) {
      const request = { reader: reader(), id: 'em_1', inlineImages: true }
      const { answered, received } = await crossing('GetContent', request, content)
      assert.deepEqual([answered, received], [content, [request]])
    }
  })

  it('optional parts of system mail arrive as values or null', async () => {
    const plain = { to: 'a@example.com', subject: 's', text: 't', html: null, idempotencyKey: 'k' }
    for (const message of [plain, { ...plain, html: '<p>', expiresInMs: 60_000 }])
      assert.deepEqual((await crossing('SendSystemMail', message, { id: 'em_1' })).received, [message])
  })

  it('are RFC 3339 texts in the messages, and empty where there is none', async () => {
    const erasure = { id: 'era_1', done: false, created_at: at, completed_at: null, emails: 1, waiting: 1 }
    const fake = { GetErasure: async () => erasure } as unknown as Intake
    const message = await intakeHandlers(fake).GetErasure({ workspace: 'ws_1', id: 'era_1' })
    assert.deepEqual([message.created_at, message.completed_at], ['2026-11-21T12:00:00.007Z', ''])
  })
})
