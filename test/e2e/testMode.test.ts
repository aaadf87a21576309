import assert from 'node:assert/strict'
import { type Caller, fresh, rawMail, type Tenant } from '../support/client.ts'
import { bodyOf, type Hook, startHook } from '../support/hooks.ts'
import type { EmailRecord, ListRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

/** Magic recipients: the status of the email, that of the recipient, its class, and the events about it. */
const outcomes = {
  delivered: ['delivered', 'delivered', null, ['accepted', 'sent', 'delivered']],
  bounced: ['bounced', 'bounced', 'invalid', ['accepted', 'bounced']],
  deferred: ['deferred', 'deferred', 'transient', ['accepted', 'deferred']],
  complained: ['delivered', 'complained', null, ['accepted', 'sent', 'delivered', 'complained']],
  suppressed: ['suppressed', 'suppressed', null, ['accepted', 'suppressed']],
} as const
const names = Object.keys(outcomes) as (keyof typeof outcomes)[]

const spellings = [
  (name: string) => `${name}@simulator.postrider.dev`,
  (name: string) => `${name}+order-17@simulator.postrider.dev`,
  (name: string) => `Ann <${name.toUpperCase()}+A+b@Simulator.Postrider.Dev>`,
]

const scopes = ['emails:send', 'emails:read', 'webhooks:write']
const shortType = (type: string): string => type.replace('email.', '')

describe('magic recipients', () => {
  const system = useSystem()
  let tenant: Tenant
  const keys: Record<string, Caller> = {}
  const hooks: Record<string, Hook> = {}
  const stack = new AsyncDisposableStack()
  before(async () => {
    tenant = await system().client.tenant()
    for (const mode of ['live', 'test']) {
      const key = await tenant.makeKey({ mode, scopes })
      keys[mode] = key
      hooks[mode] = stack.use(await startHook(key))
    }
  })
  after(() => stack.disposeAsync())

  const send = async (caller: Caller, json: Record<string, unknown>): Promise<EmailRecord> => {
    const { body, status, text } = await caller.call<EmailRecord>({ path: '/api/v1/emails', json })
    assert.equal(status, 202, text)
    return body
  }
  const untilStatus = (caller: Caller, id: string, wanted: string): Promise<EmailRecord> =>
    until(`${id} is ${wanted}`, async () => {
      const { body } = await caller.call<EmailRecord>({ path: `/api/v1/emails/${id}` })
      return body.recipients[0]?.status === wanted ? body : undefined
    })

  for (const mode of ['live', 'test'] as const)
    for (const name of names)
      it(`${name}@ drives its outcome and events with a ${mode} key, in each spelling`, async () => {
        const caller = keys[mode] ?? assert.fail()
        const [status, recipientStatus, replyClass, types] = outcomes[name]
        for (const spelling of spellings) {
          const { id } = await send(caller, rawMail({ to: [spelling(name)] }))
          const email = await untilStatus(caller, id, recipientStatus)
          assert.deepEqual([email.status, email.recipients[0]?.class, email.mode], [status, replyClass, mode])
          assert.deepEqual(
            email.events?.map(({ type }) => shortType(type)),
            types,
          )
          assert.equal(email.recipients[0]?.next_at !== null, name === 'deferred')
          await fedAs(caller, email)
        }
        assert.ok(system().receiver.received.every(({ to }) => !to.some((one) => /simulator\.postrider/i.test(one))))
      })

  /** The feed and webhooks carry the same events. */
  const fedAs = async (caller: Caller, email: EmailRecord): Promise<void> => {
    const wanted = email.events?.map(({ id }) => id) ?? []
    const { body } = await caller.call<ListRecord<{ id: string }>>({ path: '/api/v1/events?limit=100' })
    const fed = new Set(body.data.map(({ id }) => id))
    assert.deepEqual(
      wanted.filter((id) => !fed.has(id)),
      [],
      'events are missing in the feed',
    )
    const hook = hooks[email.mode] ?? assert.fail()
    await until('the webhook has each event', () => {
      const seen = new Set(hook.seen.map((one) => bodyOf(one).id))
      return wanted.every((id) => seen.has(id)) || undefined
    })
  }

  it('have their own outcome in one message with ordinary recipients', async () => {
    const ordinary = fresh()
    const to = [ordinary, ...names.map((name) => `${name}@simulator.postrider.dev`)]
    const caller = keys['live'] ?? assert.fail()
    const { id } = await send(caller, rawMail({ to }))
    await system().receiver.waitFor(ordinary)
    const email = await until('all have an outcome', async () => {
      const { body } = await caller.call<EmailRecord>({ path: `/api/v1/emails/${id}` })
      return body.recipients.every(({ status }) => !['queued', 'sending'].includes(status)) ? body : undefined
    })
    assert.deepEqual(
      email.recipients.map(({ status }) => status),
      ['delivered', ...names.map((name) => outcomes[name][1])],
    )
    assert.equal(email.status, 'deferred')
  })

  it('are retried and scheduled with a test key as with a live one', async () => {
    for (const mode of ['live', 'test']) {
      const caller = keys[mode] ?? assert.fail()
      const { id, status } = await send(
        caller,
        rawMail({ to: ['complained@simulator.postrider.dev'], scheduled_at: 'PT1H' }),
      )
      assert.equal(status, 'scheduled')
      const json = { scheduled_at: 'PT0S' }
      const moved = await caller.call({ method: 'PATCH', path: `/api/v1/emails/${id}`, json })
      assert.equal(moved.status, 200, moved.text)
      await untilStatus(caller, id, 'complained')
    }
  })

  it('are ordinary addresses under other names, whose mail leaves only with a live key', async () => {
    const address = 'other@simulator.postrider.dev'
    const [live, test] = [keys['live'] ?? assert.fail(), keys['test'] ?? assert.fail()]
    const { id } = await send(test, rawMail({ to: [address] }))
    await untilStatus(test, id, 'delivered')
    assert.equal(system().receiver.to(address).length, 0)
    await send(live, rawMail({ to: [address] }))
    await system().receiver.waitFor(address)
  })
})
