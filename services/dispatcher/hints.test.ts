import assert from 'node:assert/strict'
import type { Due } from '@postrider/domain/email/due.ts'
import fc from 'fast-check'
import { type Hints, makeHints } from './hints.ts'

const due = (workspace: string, number: number): Due => ({ workspace, id: `em_${workspace}_${number}` })
const dueOf = (workspace: string, count: number): Due[] =>
  Array.from({ length: count }, (_, number) => due(workspace, number))
const anybody = (): boolean => true

const takeAll = (hints: Hints): Due[] => {
  const taken: Due[] = []
  for (let next = hints.next(anybody); next; next = hints.next(anybody)) taken.push(next)
  return taken
}

describe('hints', () => {
  it('are taken from each workspace in turn, the oldest of it first', () => {
    const hints = makeHints(100)
    hints.add([...dueOf('a', 3), ...dueOf('b', 1), ...dueOf('c', 2)])
    assert.deepEqual(takeAll(hints), [due('a', 0), due('b', 0), due('c', 0), due('a', 1), due('c', 1), due('a', 2)])
  })

  it('are kept once, however often it rings', () => {
    const hints = makeHints(100)
    hints.add(dueOf('a', 2))
    hints.add(dueOf('a', 3))
    assert.equal(hints.size(), 3)
    assert.deepEqual(takeAll(hints), dueOf('a', 3))
    hints.add([due('a', 0)])
    assert.equal(hints.size(), 1, 'what was looked for may ring again')
  })

  it('of a workspace that may not have its turn wait, and hold nobody up', () => {
    const hints = makeHints(100)
    hints.add([...dueOf('a', 2), ...dueOf('b', 1)])
    const notA = (workspace: string): boolean => workspace !== 'a'
    assert.deepEqual(hints.next(notA), due('b', 0))
    assert.equal(hints.next(notA), undefined)
    assert.deepEqual(takeAll(hints), dueOf('a', 2))
  })

  it('that need no look any more are forgotten', () => {
    const hints = makeHints(100)
    hints.add([...dueOf('a', 2), ...dueOf('b', 1)])
    hints.forget(due('a', 0))
    hints.forget(due('b', 0))
    hints.forget(due('c', 0))
    assert.deepEqual(takeAll(hints), [due('a', 1)])
  })

  it('of mail that is traced lead to its trace, once', () => {
    const hints = makeHints(100)
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    hints.add([due('a', 0), { ...due('a', 1), traceparent }])
    assert.deepEqual(takeAll(hints), [due('a', 0), { ...due('a', 1), traceparent }])
    hints.add([{ ...due('a', 1), traceparent }])
    hints.forget(due('a', 1))
    hints.add([due('a', 1)])
    assert.deepEqual(takeAll(hints), [due('a', 1)], 'a trace is forgotten with its hint')
  })

  it('over the bound fall from the workspace that has most, its oldest first', () => {
    const hints = makeHints(10)
    assert.equal(hints.add(dueOf('a', 10)), 0)
    assert.equal(hints.add(dueOf('b', 3)), 3)
    assert.deepEqual(
      takeAll(hints).filter(({ workspace }) => workspace === 'a'),
      dueOf('a', 10).slice(3),
    )
  })

  const workspaces = ['a', 'b', 'c', 'd']
  const rings = fc.array(fc.record({ workspace: fc.constantFrom(...workspaces), count: fc.nat(30) }), { maxLength: 40 })
  const countOf = (all: readonly Due[], workspace: string): number =>
    all.filter((one) => one.workspace === workspace).length

  it('keep within the bound, and what falls falls from those who have most, whatever rings', () => {
    fc.assert(
      fc.property(rings, fc.nat(50), (all, bound) => {
        const hints = makeHints(bound)
        const rung: Due[] = []
        let fell = 0
        for (const { workspace, count } of all) {
          const more = Array.from({ length: count }, (_, number) => due(workspace, rung.length + number))
          rung.push(...more)
          fell += hints.add(more)
          assert.ok(hints.size() <= bound)
        }
        assert.equal(hints.size(), rung.length - fell)
        const kept = takeAll(hints)
        const most = Math.max(...workspaces.map((workspace) => countOf(kept, workspace)))
        for (const workspace of workspaces) {
          const [theirs, left] = [kept, rung].map((list) => list.filter((one) => one.workspace === workspace))
          assert.deepEqual(theirs, left?.slice(left.length - (theirs?.length ?? 0)), 'the newest, in their order')
          const lost = (left?.length ?? 0) - (theirs?.length ?? 0)
          assert.ok(lost === 0 || (theirs?.length ?? 0) >= most - 1, 'who lost some has as many as anybody')
        }
      }),
    )
  })

  it('give nobody a second turn before all had one, whatever rings and is forgotten', () => {
    fc.assert(
      fc.property(rings, fc.array(fc.nat(1_000), { maxLength: 30 }), (all, forgotten) => {
        const hints = makeHints(100_000)
        const rung = all.flatMap(({ workspace, count }, ring) =>
          Array.from({ length: count }, (_, number) => due(workspace, ring * 100 + number)),
        )
        hints.add(rung)
        const gone = new Set(forgotten.map((number) => rung[number]))
        for (const one of gone) if (one) hints.forget(one)
        const left = rung.filter((one) => !gone.has(one))
        const taken = takeAll(hints)
        assert.equal(taken.length, left.length)
        for (let turn = 1; turn <= taken.length; turn++) {
          const served = taken.slice(0, turn)
          const waiting = workspaces.filter((workspace) => countOf(served, workspace) < countOf(left, workspace))
          const turns = waiting.map((workspace) => countOf(served, workspace))
          assert.ok(Math.max(...turns) - Math.min(...turns) <= 1 || turns.length === 0, `after ${turn}`)
        }
      }),
      { numRuns: 30 },
    )
  })
})
