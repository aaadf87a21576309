import assert from 'node:assert/strict'
import type {
  CheckRequest,
  EventsPage,
  Intake,
  IntakeRpc,
  ListEmailsRequest,
  MailRequest,
  SubmitReply,
} from '@postrider/contracts/services.ts'
import { intakeSpec } from '@postrider/contracts/services.ts'
import { encodedCalls } from '../../../test/support/encodedCalls.ts'
import { caller, mail, reader, request, withKey } from '../../../test/support/testIntake.ts'
import { intakeClient, intakeHandlers } from './intake.ts'

const at = Date.UTC(2026, 10, 21, 12, 0, 0, 7)
const ann = { name: 'Ann', address: 'ann@example.com' }

const full: MailRequest = {
  from: ann,
  to: [ann],
  cc: [ann],
  bcc: [{ name: '', address: 'bob@example.com' }],
  replyTo: [ann],
  subject: 'Hello',
  html: '<p>Hello</p>',
  text: '',
  template: { id: 'tpl_1', vars: { name: 'Ann', items: [1, null, { deep: true }] } },
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
}

const reply: SubmitReply = { id: 'em_1', status: 202, bodyJson: '{}', replayed: false, quota: null }

/** Calls a fake intake through encoded gRPC messages. @returns what it received and what it returned */
const crossing = async <Method extends 'Submit' | 'Check' | 'ListEmails' | 'ListEvents'>(
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
    'a caller whose workspace will be deleted': request({ caller: { ...caller(), suspended: true, deletes_at: at } }),
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

  it('ListEmails passes on its filters and times', async () => {
    const page = { records_json: ['{}'], last_id: 'em_1', has_more: true }
    const plain: ListEmailsRequest = { reader: reader(), limit: 20, before: '' }
    for (const message of [plain, { ...plain, tag: 'a:b', created_after: at, created_before: at + 1 }]) {
      const { answered, received } = await crossing('ListEmails', message, page)
      assert.deepEqual([answered, received], [page, [message]])
    }
  })

  it('ListEvents names the events in the order of arrival', async () => {
    const arrival = { settled_at: at, settled_id: 'evt_1', seen_at: at, seen_id: 'evt_2', digest: 'd' }
    const arrived = [{ type: 'email.delivered' as const, id: 'evt_2', at }]
    const place = { position_at: at, position_id: 'evt_2', has_more: false }
    const page = { events_json: ['{"id":"evt_2"}'], ...place, arrival, arrived }
    const query = { reader: reader(), types: ['email.delivered'], limit: 20, after_id: '' }
    const calls: [Parameters<Intake['ListEvents']>[0], EventsPage][] = [
      [{ ...query, order: 'arrival', arrival }, page],
      [
        { ...query, order: 'desc', after_at: at, arrival: null },
        { ...page, arrival: null, arrived: [] },
      ],
    ]
    for (const [message, response] of calls) {
      const { answered, received } = await crossing('ListEvents', message, response)
      assert.deepEqual([answered, received], [response, [message]])
    }
  })

  it('ListEvents reads the events of an intake that names them in their JSON only', async () => {
    const events_json = ['{"object":"event","id":"evt_2","type":"email.sent"}']
    const old = { ListEvents: async () => ({ events_json, events_at: [at] }) } as unknown as IntakeRpc
    const request = { reader: reader(), types: [], order: 'arrival', limit: 20, after_id: '', arrival: null }
    const { arrived } = await intakeClient(encodedCalls(intakeSpec, old)).ListEvents(request)
    assert.deepEqual(arrived, [{ id: 'evt_2', type: 'email.sent', at }])
  })
})
