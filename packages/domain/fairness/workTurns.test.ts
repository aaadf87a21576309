import assert from 'node:assert/strict'
import { workTurns } from './workTurns.ts'

/** Returns turns with items that are named after their owner; those in capital letters are background work. */
const turnsOf = (...items: string[]) => {
  const turns = workTurns<string>()
  for (const item of items) {
    const owner = item.split(' ')[0]?.toLowerCase() ?? ''
    turns.add({ owner, isBackground: item.toLowerCase() !== item }, item)
  }
  return turns
}

const rest = (turns: ReturnType<typeof turnsOf>): string[] => {
  const found: string[] = []
  for (let item = turns.next(); item !== undefined; item = turns.next()) found.push(item)
  return found
}

const many = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, number) => `${name} ${number}`)
const letters = (text: string, count: number): string[] => text.split('').flatMap((name) => many(name, count))

/** Returns the largest number of items between two of an owner, and before its first. */
const longestWait = (order: readonly string[], owner: string): number => {
  const positions = order.flatMap((item, index) => (item.startsWith(owner) ? [index] : []))
  return Math.max(...positions.map((position, index) => position - (positions[index - 1] ?? -1) - 1))
}

describe('turns of work', () => {
  // Regression: the webhooks of a workspace, hundreds at a time, and the steps of its batches waited in one queue, so
  // that each step of a batch came after all webhooks, and a batch took minutes.
  it('go to requests before background work of their workspace, in turn', () => {
    assert.deepEqual(rest(turnsOf(...many('A', 300), ...many('a', 3))).slice(0, 6), [
      'a 0',
      'A 0',
      'a 1',
      'A 1',
      'a 2',
      'A 2',
    ])
  })

  it('go to requests alternately with the background work of all workspaces', () => {
    const order = rest(turnsOf(...letters('BCDEFGH', 10), ...many('a', 5)))
    assert.equal(longestWait(order, 'a'), 1)
  })

  it('go to background work alternately, even if one workspace has many requests', () => {
    const order = rest(turnsOf(...many('a', 50), 'A', 'B', 'C'))
    assert.deepEqual(order.slice(0, 6), ['a 0', 'A', 'a 1', 'B', 'a 2', 'C'])
  })

  it('go round-robin across the workspaces that have requests, and across those that have background work', () => {
    const order = rest(turnsOf('a 0', 'a 1', 'a 2', 'b', 'C 0', 'C 1', 'C 2', 'D'))
    assert.deepEqual(order, ['a 0', 'C 0', 'b', 'D', 'a 1', 'C 1', 'a 2', 'C 2'])
  })

  it('let a request of another workspace wait for one request and one item of background work of the busy one', () => {
    const order = rest(turnsOf(...many('A', 300), ...many('a', 300), ...many('b', 20)))
    assert.equal(longestWait(order, 'b'), 2)
  })

  it('give background work one turn for each of its owners in a round of the owners with requests', () => {
    const order = rest(turnsOf(...letters('abcdefgh', 20), ...letters('YZ', 20))).slice(0, 100)
    assert.deepEqual([longestWait(order, 'Y'), longestWait(order, 'Z')], [9, 9])
  })

  it('let no owner wait longer than twice a round of all owners', () => {
    for (const [requests, background] of [
      ['ab', 'VWXYZ'],
      ['abcde', 'YZ'],
      ['a', 'Z'],
      ['abcd', 'WXYZ'],
    ] as const) {
      const order = rest(turnsOf(...letters(requests, 10), ...letters(background, 10))).slice(0, 40)
      const owners = `${requests}${background}`.split('')
      for (const owner of owners)
        assert.ok(longestWait(order, owner) < 2 * owners.length, `${owner}: ${order.join(' ')}`)
    }
  })

  it('all go to one kind while the other does not wait', () => {
    assert.deepEqual(rest(turnsOf('a 0', 'a 1', 'a 2')), ['a 0', 'a 1', 'a 2'])
    const turns = turnsOf('A 0', 'A 1', 'A 2')
    assert.equal(turns.size(), 3)
    assert.deepEqual(rest(turns), ['A 0', 'A 1', 'A 2'])
    assert.equal(turns.size(), 0)
  })
})
