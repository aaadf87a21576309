import assert from 'node:assert/strict'
import { type KnownOrigin, knownTurns } from './knownTurns.ts'

/** Returns the origin of a task; names of known ones begin with `k`. */
const originOf = (task: string): KnownOrigin => ({ owner: task, isKnown: task.startsWith('k') })

const turnsOf = (...tasks: string[]) => {
  const turns = knownTurns<string>(() => 0)
  for (const task of tasks) turns.add(originOf(task), task)
  return turns
}

const rest = (turns: ReturnType<typeof turnsOf>): string[] => {
  const found: string[] = []
  for (let task = turns.next(); task !== undefined; task = turns.next()) found.push(task)
  return found
}

describe('turns of tasks of known and other origins', () => {
  const orders: [tasks: string[], order: string[]][] = [
    [[], []],
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [
      ['k1', 'k2'],
      ['k1', 'k2'],
    ],
    [
      ['a', 'b', 'c', 'k1'],
      ['k1', 'a', 'b', 'c'],
    ],
    [
      ['a', 'b', 'k1', 'k2', 'k3'],
      ['k1', 'a', 'k2', 'b', 'k3'],
    ],
  ]
  for (const [tasks, order] of orders)
    it(`start ${tasks.join(' ') || 'nothing'} alternately`, () => assert.deepEqual(rest(turnsOf(...tasks)), order))

  it('start at most the tasks of the bound before the next task of a group', () => {
    const earlier = ['kg', 'kg', 'kg', 'ke', 'ke', 'ke']
    const turns = turnsOf(...earlier)
    for (const _ of earlier) turns.next()
    const waiting = ['ke', 'kg', ...Array(5).fill('kh'), ...Array(9).fill('o')] as string[]
    for (const task of waiting) turns.add(originOf(task), task)
    const before = rest(turns).join(' ').split(' kg')[0]
    // The group `kh` had 3 tasks less, and `ke` as many.
    assert.equal(before, 'o kh o kh o kh o ke o')
  })

  // Guesses from 200 networks, one from each, held all places, and every login was refused.
  const drops: [waiting: string[], arriving: string, dropped: string | undefined][] = [
    [['a', 'b', 'c'], 'k1', 'c'],
    [['a', 'b', 'k1'], 'k2', 'b'],
    [['a', 'k1'], 'k2', undefined],
    [['k1', 'k2'], 'k3', undefined],
    [['a', 'a', 'k1'], 'b', 'a'],
    [['a', 'b', 'k1'], 'c', undefined],
    // Regression: logins of 64 networks to accounts of the attacker used all slots, and a login from a new network was
    // refused.
    [['k1', 'k2'], 'a', 'k2'],
    [['a', 'k1', 'k2', 'k3'], 'b', undefined],
    [['a', 'k1', 'k1', 'k1'], 'k2', 'k1'],
    [[], 'k1', undefined],
  ]
  for (const [waiting, arriving, dropped] of drops)
    it(`drop ${dropped ?? 'nothing'} of ${waiting.join(' ') || 'nothing'} for ${arriving}`, () => {
      const turns = turnsOf(...waiting)
      assert.equal(turns.dropNewest(originOf(arriving)), dropped)
      assert.equal(turns.size(), waiting.length - (dropped === undefined ? 0 : 1))
    })
})
