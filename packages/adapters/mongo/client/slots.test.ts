import assert from 'node:assert/strict'
import fc from 'fast-check'
import { freeSlot } from './slots.ts'

describe('freeSlot', () => {
  const used = fc.uniqueArray(fc.nat({ max: 60 }), { maxLength: 40 })
  const max = fc.nat({ max: 50 })

  it('returns one of the lowest free slots, up to the limit', () => {
    fc.assert(
      fc.property(used, max, fc.string(), (slots, limit, id) => {
        const slot = freeSlot(slots, limit, id)
        if (slots.length >= limit) return assert.equal(slot, null)
        const free = Array.from({ length: 100 }, (_, at) => at).filter((at) => !slots.includes(at))
        assert.ok(slot !== null && free.slice(0, limit - slots.length).includes(slot), `${slot}`)
      }),
    )
  })

  // The unique index over slots refuses what two inserts choose alike, so a stale read must not find other slots.
  it('never lets inserts that read at different times exceed the limit', () => {
    const steps = fc.array(fc.record({ kind: fc.constantFrom('read', 'insert', 'remove'), at: fc.nat() }), {
      minLength: 20,
      maxLength: 120,
    })
    fc.assert(
      fc.property(used, max, steps, (before, limit, all) => {
        const stored = new Set(before)
        const maxStored = Math.max(stored.size, limit)
        let chosen: number[] = []
        for (const [number, { kind, at }] of all.entries()) {
          const slot = kind === 'read' ? freeSlot([...stored], limit, `${number} ${at}`) : null
          if (slot !== null) chosen.push(slot)
          if (kind === 'insert') {
            const [tried] = chosen.splice(at % Math.max(chosen.length, 1), 1)
            if (tried !== undefined) stored.add(tried)
          }
          if (kind === 'remove') stored.delete([...stored][at % Math.max(stored.size, 1)] ?? -1)
          assert.ok(stored.size <= maxStored, `${stored.size} of ${limit}`)
          chosen = chosen.slice(-10)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('returns different slots to most of the inserts that read at the same time', () => {
    const slots = new Set(Array.from({ length: 100 }, (_, at) => freeSlot([], 1_000, `dom_${at}`)))
    assert.ok(slots.size > 80, `${slots.size}`)
  })
})
