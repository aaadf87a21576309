import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { type Caller, fresh, freshDomain, isFinal, rawMail, type Tenant } from '../support/client.ts'
import { type ParkedRecord, parkEmail, parkedPath } from '../support/parkEmail.ts'
import type { EmailRecord, ListRecord, UsageRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

type Queues = {
  object: 'queues'
  lanes: { lane: string; due: number; oldest_due_at: string | null; waiting: number; scheduled: number; test: number }[]
  parked: number
  destinations: { domain: string; recipients: number; due: number; deferred: number; next_at: string }[]
  sample: { emails: number; limit: number }
}

type Explained = { recipients: { next_attempt: { at: string | null; reason: string } }[] }

const soon = 'PT1H'

describe('queues and parked mail for the operator', () => {
  const system = useSystem()
  let tenant: Tenant
  const operator = (): Caller => system().client.withOperatorToken()
  before(async () => {
    tenant = await system().client.tenant()
  })

  const sendLater = async (over: Record<string, unknown> = {}): Promise<string> => {
    const { status, body, text } = await tenant.send(rawMail({ scheduled_at: soon, ...over }))
    assert.equal(status, 202, text)
    return body.id
  }

  const decide = async (id: string, decision: 'release' | 'drop'): Promise<ParkedRecord> => {
    const path = `${parkedPath}/${id}/${decision}`
    const response = await operator().call<ParkedRecord>({ method: 'POST', path })
    assert.equal(response.status, 200, response.text)
    return response.body
  }

  const isListed = async (id: string): Promise<boolean> => {
    const { body } = await operator().call<ListRecord<ParkedRecord>>({ path: `${parkedPath}?limit=100` })
    return body.data.some((one) => one.id === id)
  }

  const sendNow = async (id: string): Promise<void> => {
    const path = `/api/v1/emails/${id}`
    const moved = await tenant.api.call<EmailRecord>({ method: 'PATCH', path, json: { scheduled_at: 'PT0S' } })
    assert.equal(moved.status, 200, moved.text)
  }

  const used = async (): Promise<number> =>
    (await tenant.session.call<UsageRecord>({ path: '/api/v1/billing/usage' })).body.monthly.used

  const finalEmail = (id: string): Promise<EmailRecord> =>
    until('the email is final', async () => {
      const email = await tenant.get(id)
      return isFinal(email) ? email : undefined
    })

  it('shows waiting mail by lane, and by destination in a sample that it describes', async () => {
    const domain = freshDomain()
    // Domains with many recipients are first, and the response has 100.
    await sendLater({ to: Array.from({ length: 20 }, () => fresh('queue', domain)) })
    const { status, body, text } = await operator().call<Queues>({ path: '/api/v1/operator/queues' })
    assert.equal(status, 200, text)
    assert.deepEqual(
      body.lanes.map(({ lane }) => lane),
      ['transactional', 'marketing'],
    )
    const [lane] = body.lanes
    assert.ok(lane && lane.waiting >= 1 && lane.waiting >= lane.scheduled + lane.test, text)
    assert.ok(body.sample.emails >= 1 && body.sample.emails <= 2 * body.sample.limit, text)
    assert.ok(body.destinations.length >= 1, text)
    if (body.sample.emails < body.sample.limit)
      assert.ok(
        body.destinations.some((one) => one.domain === domain),
        text,
      )
  })

  it('releases a parked email, which waits for its scheduled time', async () => {
    const to = fresh()
    const id = await sendLater({ to: [to] })
    const parked = await parkEmail(system(), id)
    assert.deepEqual(
      [parked.workspace_id, parked.status, parked.may_have_arrived, parked.recipients],
      [tenant.workspace.id, 'scheduled', false, 1],
    )
    assert.ok(parked.parked_at !== null)
    const explained = await tenant.api.call({ path: `/api/v1/emails/${id}/explain` })
    assert.match(explained.text, /"reason":"parked"/)
    const { scheduled_at } = await tenant.get(id)
    const released = await decide(id, 'release')
    assert.deepEqual([released.parked_at, released.status], [null, 'scheduled'])
    assert.equal(await isListed(id), false)
    assertProblem(await operator().call({ method: 'POST', path: `${parkedPath}/${id}/release` }), 409, 'conflict')
    const waiting = await tenant.api.call<Explained>({ path: `/api/v1/emails/${id}/explain` })
    const [next] = waiting.body.recipients.map(({ next_attempt }) => next_attempt)
    assert.deepEqual([next?.reason, next?.at], ['scheduled', scheduled_at], waiting.text)
    await sendNow(id)
    assert.equal((await finalEmail(id)).status, 'delivered')
  })

  it('releases a parked email whose time has come, which is then delivered', async () => {
    const id = await sendLater()
    await parkEmail(system(), id)
    // The move to this moment leaves the deaths, so the next claim parks the email again.
    await sendNow(id)
    await until('it is parked again', async () => ((await isListed(id)) ? true : undefined))
    assert.equal((await decide(id, 'release')).parked_at, null)
    assert.equal((await finalEmail(id)).status, 'delivered')
  })

  it('drops a parked email: it has failed with an event, and its sends are back', async () => {
    const before = await used()
    const id = await sendLater()
    await parkEmail(system(), id)
    assert.equal(await used(), before + 1)
    const dropped = await decide(id, 'drop')
    assert.deepEqual([dropped.status, dropped.parked_at], ['failed', null])
    assert.equal(await isListed(id), false)
    const email = await finalEmail(id)
    assert.equal(email.status, 'failed')
    assert.equal(email.events?.at(-1)?.type, 'email.failed')
    assert.match(JSON.stringify(email.events?.at(-1)), /"operator"/)
    await until('the sends are back', async () => ((await used()) === before ? true : undefined))
    for (const decision of ['drop', 'release'])
      assertProblem(await operator().call({ method: 'POST', path: `${parkedPath}/${id}/${decision}` }), 409, 'conflict')
  })

  it('lists parked mail in pages, the last parked first', async () => {
    const ids = [await sendLater(), await sendLater()]
    const parked: ParkedRecord[] = []
    for (const id of ids) parked.push(await parkEmail(system(), id))
    const found: ParkedRecord[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { body } = await operator().call<ListRecord<ParkedRecord>>({ path: `${parkedPath}?limit=1${query}` })
      assert.ok(body.data.length <= 1)
      found.push(...body.data)
      cursor = body.next_cursor
    }
    const mine = found.filter(({ id }) => ids.includes(id)).map(({ id }) => id)
    // Two processes of a cluster may have parked them, whose clocks are not the same to the millisecond.
    const order = ({ parked_at, id }: ParkedRecord): string => `${parked_at} ${id}`
    const last = parked.toSorted((a, b) => (order(a) < order(b) ? 1 : -1)).map(({ id }) => id)
    assert.deepEqual(mine, last)
    for (const id of ids) await decide(id, 'drop')
  })

  it('does not list parked mail that its sender has canceled', async () => {
    const id = await sendLater()
    await parkEmail(system(), id)
    const canceled = await tenant.api.call<EmailRecord>({ method: 'POST', path: `/api/v1/emails/${id}/cancel` })
    assert.deepEqual([canceled.status, canceled.body.status], [200, 'canceled'])
    assert.equal(await isListed(id), false)
  })

  it('is for the operator only, and not found by other ids', async () => {
    const id = 'em_01h2xcejqtf2nbrexx3vqjhp41'
    for (const decision of ['release', 'drop'])
      for (const name of [id, 'nothing'])
        assertProblem(
          await operator().call({ method: 'POST', path: `${parkedPath}/${name}/${decision}` }),
          404,
          'not_found',
        )
    for (const [method, path] of [
      ['GET', '/api/v1/operator/queues'],
      ['GET', parkedPath],
      ['POST', `${parkedPath}/${id}/release`],
      ['POST', `${parkedPath}/${id}/drop`],
    ] as const)
      for (const caller of [tenant.session, tenant.api])
        assertProblem(await caller.call({ method, path }), 401, 'unauthenticated')
  })
})
