import assert from 'node:assert/strict'
import type { SendingDomain } from '@postrider/domain/domains/domain.ts'
import { newDomainEvent } from '@postrider/domain/domains/feedEvent.ts'
import type { PublicEvent } from '@postrider/domain/events/event.ts'
import { newId } from '@postrider/kit/ids.ts'
import { anEntry } from './auditFixtures.conformance.ts'
import type { DomainStore } from './domains.ts'
import { inserted } from './domainsFixtures.conformance.ts'
import type { EventFeed } from './eventFeed.ts'

/** @param now sets the times of events */
export type OpenDomainEvents = (now: () => number) => DomainStores | Promise<DomainStores>
type DomainStores = { domains: DomainStore; events: EventFeed }

const start = 1_790_000_000_000

/** Returns a domain that has become verified, and its event. */
export const verified = (one: SendingDomain) => {
  const events = [...one.events, { id: newId('evt'), sequence: 1, type: 'domain.verified' as const, at: 2_000 }]
  const after = { ...one, status: 'verified' as const, events }
  const event = newDomainEvent(one, after)
  assert.ok(event)
  return { after, event }
}

export const eventsOf = async (events: EventFeed, workspace = 'ws_1'): Promise<PublicEvent[]> => {
  const query = { workspace, mode: null, order: 'asc' as const, after: null, until: start + 1e9, limit: 100 }
  return (await events.readEvents(query)).events
}

/** Declares the tests that the events of domains must pass. */
export const domainEventsConformance = (adapter: string, open: OpenDomainEvents) =>
  describe(`events of domains in ${adapter}`, () => {
    const at = { now: start }
    const opened = () => open(() => at.now)

    it('are in the feed with the change, with the time of the write', async () => {
      const { domains, events } = await opened()
      const one = await inserted(domains)
      const { after, event } = verified(one)
      assert.equal(await domains.write(one.id, 0, { domain: after, nextCheckAt: 9_000, event }, [anEntry()]), 'written')
      assert.deepEqual(await eventsOf(events), [{ ...event, at: start }])
      const { domain_id, name, status, changed_at } = event.data
      assert.deepEqual(
        [domain_id, name, status, changed_at],
        [one.id, one.name, 'verified', '1970-01-01T00:00:02.000Z'],
      )
      assert.deepEqual((await domains.get('ws_1', one.id))?.domain, after)
    })

    it('are stored with changes that have no audit entry', async () => {
      const { domains, events } = await opened()
      const one = await inserted(domains)
      const { after, event } = verified(one)
      assert.equal(await domains.write(one.id, 0, { domain: after, nextCheckAt: 9_000, event }, []), 'written')
      assert.equal((await eventsOf(events)).length, 1)
    })

    it('are not stored if the write is refused', async () => {
      const { domains, events } = await opened()
      const [one, other] = [await inserted(domains), await inserted(domains, { workspace: 'ws_2' })]
      const [first, second] = [verified(one), verified(other)]
      const change = ({ after, event }: typeof first) => ({ domain: after, nextCheckAt: 9_000, event })
      assert.equal(await domains.write(one.id, 7, change(first), []), 'lost')
      assert.deepEqual(await eventsOf(events), [])
      assert.equal(await domains.write(one.id, 0, change(first), []), 'written')
      assert.equal(await domains.write(other.id, 0, change(second), []), 'taken')
      assert.deepEqual(await eventsOf(events, 'ws_2'), [])
    })

    it('stay after the domain is removed', async () => {
      const { domains, events } = await opened()
      const one = await inserted(domains)
      const { after, event } = verified(one)
      await domains.write(one.id, 0, { domain: after, nextCheckAt: 9_000, event }, [])
      assert.ok(await domains.remove('ws_1', one.id, () => anEntry()))
      assert.equal((await eventsOf(events)).length, 1)
    })
  })
