import assert from 'node:assert/strict'
import { withEvents } from '@postrider/domain/email/changes.ts'
import type { Email, EmailEventType, Mode } from '@postrider/domain/email/email.ts'
import { byPosition, type EventType, type FeedPosition, type PublicEvent } from '@postrider/domain/events/event.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { EmailStore } from './emails.ts'
import { claimOne, content, email, leaseMs } from './emailsFixtures.conformance.ts'
import type { EventFeed, FeedQuery } from './eventFeed.ts'
import type { NewWorkspaceEvent, WorkspaceEventStore } from './workspaceEvents.ts'

export type FeedStores = { emails: EmailStore; events: EventFeed; workspaceEvents: WorkspaceEventStore }
/**
 * @param now sets the times of events without an email
 * @param maxRead about how many documents or rows a page of the feed reads
 */
export type OpenFeed = (now: () => number, maxRead?: number) => FeedStores | Promise<FeedStores>

const start = 1_790_000_000_000
const workspace = 'ws_1'
const all = { workspace, mode: null, order: 'asc' as const, after: null, until: start + 1e9, limit: 100 }

const withType = (one: Email, type: EmailEventType, at: number): Email =>
  withEvents(one, at, [{ type, recipient: 0, cause: { kind: 'request', actor: 'key_1' } }])

/** Returns an email with an event at each of these times. */
const mail = (times: readonly number[], over: Partial<Email> = {}): Email =>
  times.reduce((one, at) => withType(one, 'email.deferred', start + at), email({ createdAt: start, ...over }))

const workspaceEvent = (over: Partial<NewWorkspaceEvent> = {}): NewWorkspaceEvent => ({
  id: newId('evt'),
  type: 'domain.verified',
  workspace,
  mode: 'live',
  data: { name: 'example.com' },
  ...over,
})

/** Reads all pages. */
const readAll = async (events: EventFeed, query: FeedQuery, max = 1_000): Promise<PublicEvent[]> => {
  const found: PublicEvent[] = []
  let after: FeedPosition | null = query.after
  for (let pages = 0; pages < max; pages++) {
    const page = await events.readEvents({ ...query, after })
    assert.ok(page.events.length <= query.limit, 'more events than the limit')
    found.push(...page.events)
    after = page.position
    if (!page.hasMore) return found
  }
  return assert.fail('the feed has no end')
}

const idsOf = (events: readonly { id: string }[]): string[] => events.map(({ id }) => id)

/** Declares the tests of the feed of events, and of the store of events without an email. */
export const eventFeedConformance = (adapter: string, open: OpenFeed) =>
  describe(`feed of events in ${adapter}`, () => {
    const at = { now: start }
    const opened = (maxRead?: number) => open(() => at.now, maxRead)
    beforeEach(() => {
      at.now = start
    })

    it('has the events of a new email, and the events of later writes', async () => {
      const { emails, events } = await opened()
      const one = mail([10], { recipients: mail([]).recipients.map((to) => ({ ...to, nextAt: start })) })
      await emails.insert(one, content)
      assert.deepEqual(idsOf(await readAll(events, all)), idsOf(one.events))
      const { id, fence, email: claimed } = await claimOne(emails, start)
      const sent = withType(claimed, 'email.sent', start + 20)
      assert.equal(await emails.write(id, fence, { email: sent, nextAt: start, done: false, storedEvents: 1 }), true)
      const ended = withType(sent, 'email.delivered', start + 30)
      assert.equal(await emails.write(id, fence, { email: ended, nextAt: null, done: true }), true)
      const changed = withType(ended, 'email.bounced', start + 40)
      assert.equal(await emails.change(id, fence, start + leaseMs, { email: changed, nextAt: null }), true)
      const found = await readAll(events, all)
      assert.deepEqual(idsOf(found), idsOf(changed.events))
      assert.deepEqual(
        found.map(({ type, at: time, mode, data }) => [type, time - start, mode, data['email_id'], data['sequence']]),
        [
          ['email.deferred', 10, 'live', id, 1],
          ['email.sent', 20, 'live', id, 2],
          ['email.delivered', 30, 'live', id, 3],
          ['email.bounced', 40, 'live', id, 4],
        ],
      )
    })

    it('has nothing of a write that was refused', async () => {
      const { emails, events } = await opened()
      const one = mail([10], { recipients: mail([]).recipients.map((to) => ({ ...to, nextAt: start })) })
      await emails.insert(one, content)
      const { id, fence, email: claimed } = await claimOne(emails, start)
      const late = { email: withType(claimed, 'email.delivered', start + 20), nextAt: null, done: true }
      assert.equal(await emails.write(id, fence - 1, late), false)
      assert.equal(await emails.insert({ ...late.email, workspace }, content), 'exists')
      assert.equal((await readAll(events, all)).length, 1)
    })

    for (const order of ['asc', 'desc'] as const)
      it(`returns each event once in pages of any size, even events of the same time (${order})`, async () => {
        const { emails, events, workspaceEvents } = await opened()
        const mails = Array.from({ length: 12 }, (_, number) => mail([5, number % 3, 5, 5 + (number % 4)].toSorted()))
        for (const one of mails) await emails.insert(one, content)
        at.now = start + 5
        await workspaceEvents.insert([workspaceEvent(), workspaceEvent()])
        const whole = await readAll(events, { ...all, order })
        assert.equal(new Set(idsOf(whole)).size, 12 * 4 + 2)
        const sorted = whole.toSorted((a, b) => (order === 'asc' ? byPosition(a, b) : byPosition(b, a)))
        assert.deepEqual(idsOf(whole), idsOf(sorted))
        for (const limit of [1, 2, 7, 49, 50]) {
          assert.deepEqual(idsOf(await readAll(events, { ...all, order, limit })), idsOf(whole), `limit ${limit}`)
        }
      })

    it('reads sparse and dense times', async () => {
      const { emails, events } = await opened()
      const day = 86_400_000
      const expected: string[] = []
      for (const time of [0, 1, 90 * day, 90 * day + 1]) {
        for (let count = 0; count < (time === 1 ? 300 : 3); count++) {
          const one = mail([time], { createdAt: start + time })
          await emails.insert(one, content)
          expected.push(...idsOf(one.events))
        }
      }
      const until = start + 91 * day
      for (const order of ['asc', 'desc'] as const) {
        const found = await readAll(events, { ...all, until, order })
        assert.deepEqual(new Set(idsOf(found)), new Set(expected), order)
        assert.equal(found.length, expected.length, order)
      }
    })

    it('continues at the end of an ascending list, and shows events that were stored since', async () => {
      const { emails, events } = await opened()
      const empty = await events.readEvents({ ...all, until: start })
      assert.deepEqual([empty.events, empty.hasMore], [[], false])
      await emails.insert(mail([10]), content)
      const early = await events.readEvents({ ...all, after: empty.position, until: start + 9 })
      assert.deepEqual([early.events, early.hasMore], [[], false])
      const first = await events.readEvents({ ...all, after: early.position, until: start + 10 })
      assert.equal(first.events.length, 1)
      const behind = await events.readEvents({ ...all, after: first.position, until: start })
      assert.deepEqual([behind.events, behind.position], [[], first.position])
      await emails.insert(mail([11]), content)
      const next = await events.readEvents({ ...all, after: first.position, until: start + 20 })
      assert.deepEqual([next.events.length, next.hasMore], [1, false])
    })

    it('selects by workspace, mode, type and time', async () => {
      const { emails, events, workspaceEvents } = await opened()
      const modes: Mode[] = ['live', 'test']
      for (const mode of modes) {
        const one = mail([10], { mode })
        await emails.insert(withType(withType(one, 'email.sent', start + 20), 'email.delivered', start + 30), content)
      }
      await emails.insert(mail([15], { workspace: 'ws_2' }), content)
      at.now = start + 25
      await workspaceEvents.insert([workspaceEvent(), workspaceEvent({ workspace: 'ws_2', type: 'domain.failed' })])
      const typesOf = async (query: Partial<FeedQuery>): Promise<string[]> =>
        (await readAll(events, { ...all, ...query })).map(({ type }) => type)
      const ofLive = ['email.deferred', 'email.sent', 'domain.verified', 'email.delivered']
      assert.deepEqual(await typesOf({ mode: 'live' }), ofLive)
      assert.deepEqual(await typesOf({ mode: 'test' }), ['email.deferred', 'email.sent', 'email.delivered'])
      assert.equal((await typesOf({})).length, 7)
      const types = (...names: EventType[]) => ({ types: new Set(names) })
      assert.deepEqual(await typesOf(types('email.sent')), ['email.sent', 'email.sent'])
      assert.deepEqual(await typesOf(types('domain.verified')), ['domain.verified'])
      assert.deepEqual(await typesOf({ mode: 'live', ...types('email.delivered', 'domain.verified') }), ofLive.slice(2))
      assert.deepEqual(await typesOf(types('email.opened')), [])
      assert.deepEqual(await typesOf({ mode: 'live', until: start + 24 }), ofLive.slice(0, 2))
      assert.deepEqual(await typesOf({ workspace: 'ws_2' }), ['email.deferred', 'domain.failed'])
      assert.deepEqual(await typesOf({ workspace: 'ws_3' }), [])
    })

    it('finds rare types among many events', async () => {
      const { emails, events } = await opened()
      for (let number = 0; number < 600; number++) await emails.insert(mail([number]), content)
      await emails.insert(withType(mail([300]), 'email.bounced', start + 301), content)
      for (const order of ['asc', 'desc'] as const) {
        const found = await readAll(events, { ...all, order, types: new Set(['email.bounced']), limit: 5 })
        assert.deepEqual(
          found.map(({ type }) => type),
          ['email.bounced'],
          order,
        )
      }
    })

    for (const [name, type] of [
      ['of emails', 'email.bounced'],
      ['without an email', 'domain.failed'],
    ] as const)
      it(`ends a page after many events of other types, and continues with the next (${name})`, async () => {
        const { emails, events, workspaceEvents } = await opened(200)
        const count = 700
        const numbers = Array.from({ length: count }, (_, number) => number)
        if (type === 'email.bounced') await Promise.all(numbers.map((number) => emails.insert(mail([number]), content)))
        else
          for (; at.now < start + count; at.now += 20)
            await workspaceEvents.insert(numbers.slice(0, 20).map(() => workspaceEvent()))
        at.now = start + count
        await emails.insert(withType(mail([]), 'email.bounced', start + count), content)
        await workspaceEvents.insert([workspaceEvent({ type: 'domain.failed' })])
        for (const order of ['asc', 'desc'] as const) {
          const query = { ...all, until: start + 2 * count, order, limit: 5 }
          const found = await readAll(events, { ...query, types: new Set([type]) })
          assert.deepEqual(
            found.map((event) => event.type),
            [type],
            order,
          )
          let [pages, after] = [0, null as FeedPosition | null]
          for (let hasMore = true; hasMore; pages++) {
            const page = await events.readEvents({ ...query, after, types: new Set([type]) })
            assert.ok(!page.hasMore || after === null || byPosition(page.position, after) !== 0, 'each page continues')
            ;({ hasMore, position: after } = page)
          }
          assert.ok(pages > 2, `${order}: ${pages} pages`)
        }
      })

    it('stops reading when its signal is aborted', async () => {
      const { emails, events } = await opened()
      for (let number = 0; number < 600; number++) await emails.insert(mail([number * 3_600_000]), content)
      const query = { ...all, until: start + 700 * 3_600_000, types: new Set<EventType>(['email.bounced']) }
      const { hasMore } = await events.readEvents(query, AbortSignal.abort())
      assert.equal(hasMore, true)
    })

    it('returns one event by its position', async () => {
      const { emails, events, workspaceEvents } = await opened()
      const one = mail([10, 10, 20], { mode: 'test' })
      await emails.insert(one, content)
      const other = workspaceEvent()
      await workspaceEvents.insert([other])
      const [, second] = one.events
      assert.ok(second)
      assert.equal((await events.readEvent(workspace, second))?.data['sequence'], 2)
      assert.deepEqual(await events.readEvent(workspace, { id: other.id, at: start }), { ...other, at: start })
      for (const position of [
        { at: second.at + 1, id: second.id },
        { at: second.at, id: newId('evt') },
      ])
        assert.equal(await events.readEvent(workspace, position), null)
      assert.equal(await events.readEvent('ws_2', second), null)
    })

    it('has no event of a removed record', async () => {
      const { emails, events } = await opened()
      const one = mail([10, 20], { recipients: [] })
      await emails.insert(one, content)
      assert.equal(await emails.removeEmails([{ id: one.id, fence: 0 }]), 1)
      assert.deepEqual(await readAll(events, all), [])
    })

    it('stores an event without an email once, with the time of the store', async () => {
      const { events, workspaceEvents } = await opened()
      const [one, other] = [workspaceEvent(), workspaceEvent({ type: 'quota.warning', data: { 'a.b': { $c: 1 } } })]
      assert.deepEqual(await workspaceEvents.insert([one]), [one.id])
      at.now = start + 50
      assert.deepEqual(await workspaceEvents.insert([{ ...one, data: {} }, other]), [other.id])
      assert.deepEqual(await readAll(events, all), [
        { ...one, at: start },
        { ...other, at: start + 50 },
      ])
    })

    it('removes old events without an email, oldest first', async () => {
      const { events, workspaceEvents } = await opened()
      const stored = [workspaceEvent(), workspaceEvent({ workspace: 'ws_2' }), workspaceEvent()]
      for (const one of stored) {
        await workspaceEvents.insert([one])
        at.now += 10
      }
      assert.equal(await workspaceEvents.removeUntil(start + 10, 1), 1)
      assert.deepEqual(idsOf(await readAll(events, all)), [stored[2]?.id])
      assert.equal(await workspaceEvents.removeUntil(start + 10, 5), 1)
      assert.equal(await workspaceEvents.removeUntil(start + 10, 5), 0)
      assert.equal((await readAll(events, { ...all, workspace: 'ws_2' })).length, 0)
    })
  })
