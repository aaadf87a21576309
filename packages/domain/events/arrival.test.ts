import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type ArrivalPosition, arrivals, maxLookedBack, maxToRead, newArrivals } from './arrival.ts'
import { byPosition, feedDelayMs, type PublicEvent } from './event.ts'

const eventAt = (at: number, name: string | number = at): PublicEvent => ({
  id: `evt_${String(name).padStart(6, '0')}`,
  type: 'email.sent',
  at,
  workspace: 'ws_1',
  mode: 'live',
  data: {},
})

/** Reads as a store does: at most `max` events after the complete position, in the order of time. */
const readSince = (stored: readonly PublicEvent[], { complete }: ArrivalPosition, now: number, max: number) => {
  const found = stored.filter((event) => byPosition(event, complete) > 0 && event.at <= now).toSorted(byPosition)
  const events = found.slice(0, max)
  const hasMore = found.length > max
  const { at, id } = events.at(-1) ?? complete
  return { events, position: hasMore ? { at, id } : { at: now, id: '~' }, hasMore }
}

const read = (stored: readonly PublicEvent[], reader: ArrivalPosition, now: number, limit = 100) =>
  arrivals(reader, readSince(stored, reader, now, maxToRead(reader, limit)), { now, limit })

const idsOf = ({ events }: { events: readonly PublicEvent[] }): string[] => events.map(({ id }) => id)

describe('events in the order of arrival', () => {
  const start = 1_000_000

  it('begins with the events of the last seconds, and shows each event once', () => {
    const stored = [eventAt(start - feedDelayMs - 1), eventAt(start - 1), eventAt(start)]
    const first = read(stored, newArrivals(start), start)
    assert.deepEqual([idsOf(first), first.hasMore], [idsOf({ events: stored.slice(1) }), false])
    assert.deepEqual(idsOf(read(stored, first.next, start + 1_000)), [])
    const more = [...stored, eventAt(start + 1_000)]
    const second = read(more, first.next, start + 1_000)
    assert.deepEqual(idsOf(second), ['evt_1001000'])
    // All events of before are complete now.
    const later = read(more, second.next, start + 60_000)
    assert.deepEqual([idsOf(later), later.next.digest], [[], ''])
    assert.equal(later.next.complete.at, start + 60_000 - feedDelayMs)
  })

  it('shows an event that is stored late, and repeats the events after it', () => {
    const [early, late] = [eventAt(start), eventAt(start - 500)]
    const first = read([early], newArrivals(start), start)
    const second = read([early, late], first.next, start + 1_000)
    assert.deepEqual(idsOf(second), [late.id, early.id])
    assert.deepEqual(idsOf(read([early, late], second.next, start + 2_000)), [])
  })

  it('continues after events that were removed', () => {
    const [one, two] = [eventAt(start - 2), eventAt(start - 1)]
    const { next: reader } = read([one, two], newArrivals(start), start)
    const after = read([two], reader, start + 1)
    assert.deepEqual(idsOf(after), [two.id])
    assert.deepEqual(idsOf(read([two, eventAt(start + 2)], after.next, start + 2)), [eventAt(start + 2).id])
  })

  it('moves on in a read that finds nothing and has not read everything', () => {
    const reader = newArrivals(start)
    const position = { at: start - 5_000, id: 'evt_5' }
    const page = arrivals(reader, { events: [], position, hasMore: true }, { now: start, limit: 10 })
    assert.deepEqual([page.events, page.hasMore, page.next.seen], [[], true, position])
  })

  // Each read looked back over 10 s and ended after the same 10,000 events, before what the reader had not seen.
  it('advances to events of a rare type while others arrive faster than one read can look back', () => {
    const [maxRead, eachMs] = [1_000, 2]
    const rare = (index: number): boolean => index % 700 === 0
    // 5,000 events in the time that a reader looks back: five reads.
    const stored = Array.from({ length: 40_000 }, (_, index) => eventAt(start - 30_000 + index * eachMs, index))
    const readRare = (reader: ArrivalPosition, now: number) => {
      const since = stored.filter((event) => byPosition(event, reader.complete) > 0 && event.at <= now)
      const looked = since.slice(0, maxRead)
      const hasMore = since.length > maxRead
      const { at, id } = looked.at(-1) ?? reader.complete
      const position = hasMore ? { at, id } : { at: now, id: '~' }
      const events = looked.filter((event) => rare(Number(event.id.slice(4))))
      return arrivals(reader, { events, position, hasMore }, { now, limit: 100 })
    }
    // One reader is new, and one was unavailable for a long time.
    for (const awayMs of [0, 20_000]) {
      let [now, reader, hasMore, reads] = [start, newArrivals(start - awayMs), true, 0]
      const begin = reader.complete.at
      const seen = new Set<string>()
      const readOn = (): void => {
        for (hasMore = true; hasMore; now += 1) {
          const page = readRare(reader, now)
          for (const id of idsOf(page)) seen.add(id)
          ;({ next: reader, hasMore } = page)
          reads += 1
          assert.ok(reads < 100, 'the reader does not advance')
        }
      }
      readOn()
      for (let times = 0; times < 5; times++) {
        now += 1_000
        readOn()
      }
      const all = stored.filter(({ at, id }) => at > begin && at < now && rare(Number(id.slice(4))))
      assert.deepEqual([...seen], idsOf({ events: all }))
    }
  })

  it('looks back to a bounded number of events', () => {
    const stored = Array.from({ length: maxLookedBack + 300 }, (_, index) => eventAt(start + index))
    const now = start + stored.length
    let reader = newArrivals(start)
    const seen: string[] = []
    for (let hasMore = true; hasMore; ) {
      const page = read(stored, reader, now)
      seen.push(...idsOf(page))
      ;({ next: reader, hasMore } = page)
    }
    assert.deepEqual(seen, idsOf({ events: stored }))
    assert.equal(reader.complete.at, start + 299)
    assert.deepEqual(idsOf(read(stored, reader, now + 1)), [])
  })

  it('shows every event that is stored within the delay, in any order, with pages of any size', () => {
    const event = fc.record({ at: fc.nat(30_000), lateMs: fc.nat(feedDelayMs - 2_000) })
    const reads = fc.array(fc.nat(3_000), { minLength: 5, maxLength: 20 })
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 60 }),
        reads,
        fc.integer({ min: 1, max: 20 }),
        (given, pauses, limit) => {
          const all = given.map(({ at, lateMs }, index) => ({
            event: eventAt(start + at, index),
            storedAt: start + at + lateMs,
          }))
          const seen = new Set<string>()
          let [now, reader] = [start, newArrivals(start)]
          const readOn = (): void => {
            const stored = all.filter(({ storedAt }) => storedAt <= now).map(({ event: one }) => one)
            for (let hasMore = true; hasMore; ) {
              const page = read(stored, reader, now, limit)
              for (const id of idsOf(page)) seen.add(id)
              assert.ok(byPosition(page.next.complete, reader.complete) >= 0, 'the position moves back')
              ;({ next: reader, hasMore } = page)
            }
          }
          for (const pause of [...pauses, 60_000]) {
            readOn()
            now += pause
          }
          readOn()
          assert.deepEqual([...seen].toSorted(), all.map(({ event: one }) => one.id).toSorted())
        },
      ),
    )
  })
})
