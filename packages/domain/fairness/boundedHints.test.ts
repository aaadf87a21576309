import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Due } from '../email/due.ts'
import { boundedHints, type Hints } from './boundedHints.ts'

const due = (workspace: string, number: number): Due => ({ workspace, id: `em_${workspace}_${number}` })
const dueOf = (workspace: string, count: number): Due[] =>
  Array.from({ length: count }, (_, number) => due(workspace, number))
const always = (): boolean => true

const takeAll = (hints: Hints): Due[] => {
  const taken: Due[] = []
  for (let next = hints.next(always); next; next = hints.next(always)) taken.push(next)
  return taken
}

describe('hints', () => {
  it('are returned from each workspace in turn, oldest first', () => {
    const hints = boundedHints(100)
    hints.add([...dueOf('a', 3), ...dueOf('b', 1), ...dueOf('c', 2)])
    assert.deepEqual(takeAll(hints), [due('a', 0), due('b', 0), due('c', 0), due('a', 1), due('c', 1), due('a', 2)])
  })

  it('are stored once, however often they are added', () => {
    const hints = boundedHints(100)
    hints.add(dueOf('a', 2))
    hints.add(dueOf('a', 3))
    assert.equal(hints.size(), 3)
    assert.deepEqual(takeAll(hints), dueOf('a', 3))
    hints.add([due('a', 0)])
    assert.equal(hints.size(), 1, 'a hint that was returned may be added again')
  })

  it('wait while their workspace may not take a turn, and do not block others', () => {
    const hints = boundedHints(100)
    hints.add([...dueOf('a', 2), ...dueOf('b', 1)])
    const notA = (workspace: string): boolean => workspace !== 'a'
    assert.deepEqual(hints.next(notA), due('b', 0))
    assert.equal(hints.next(notA), undefined)
    assert.deepEqual(takeAll(hints), dueOf('a', 2))
  })

  it('are removed when a scan has claimed the email', () => {
    const hints = boundedHints(100)
    hints.add([...dueOf('a', 2), ...dueOf('b', 1)])
    hints.forget(due('a', 0))
    hints.forget(due('b', 0))
    hints.forget(due('c', 0))
    assert.deepEqual(takeAll(hints), [due('a', 1)])
  })

  it('return the trace of an email once', () => {
    const hints = boundedHints(100)
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    hints.add([due('a', 0), { ...due('a', 1), traceparent }])
    assert.deepEqual(takeAll(hints), [due('a', 0), { ...due('a', 1), traceparent }])
    hints.add([{ ...due('a', 1), traceparent }])
    hints.forget(due('a', 1))
    hints.add([due('a', 1)])
    assert.deepEqual(takeAll(hints), [due('a', 1)], 'a trace is removed with its hint')
  })

  it('over the bound are dropped from the workspace with the most, oldest first', () => {
    const hints = boundedHints(10)
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

  it('stay within the bound and are dropped only from workspaces with the most', () => {
    fc.assert(
      fc.property(rings, fc.nat(50), (all, bound) => {
        const hints = boundedHints(bound)
        const added: Due[] = []
        let dropped = 0
        for (const { workspace, count } of all) {
          const more = Array.from({ length: count }, (_, number) => due(workspace, added.length + number))
          added.push(...more)
          dropped += hints.add(more)
          assert.ok(hints.size() <= bound)
        }
        assert.equal(hints.size(), added.length - dropped)
        const kept = takeAll(hints)
        const max = Math.max(...workspaces.map((workspace) => countOf(kept, workspace)))
        for (const workspace of workspaces) {
          const [theirs, left] = [kept, added].map((list) => list.filter((one) => one.workspace === workspace))
          assert.deepEqual(theirs, left?.slice(left.length - (theirs?.length ?? 0)), 'the newest hints stay, in order')
          const lost = (left?.length ?? 0) - (theirs?.length ?? 0)
          assert.ok(
            lost === 0 || (theirs?.length ?? 0) >= max - 1,
            'a workspace that lost hints has as many as any other',
          )
        }
      }),
    )
  })

  it('give no workspace a second turn before every other had one', () => {
    fc.assert(
      fc.property(rings, fc.array(fc.nat(1_000), { maxLength: 30 }), (all, forgotten) => {
        const hints = boundedHints(100_000)
        const added = all.flatMap(({ workspace, count }, index) =>
          Array.from({ length: count }, (_, number) => due(workspace, index * 100 + number)),
        )
        hints.add(added)
        const gone = new Set(forgotten.map((number) => added[number]))
        for (const one of gone) if (one) hints.forget(one)
        const left = added.filter((one) => !gone.has(one))
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
