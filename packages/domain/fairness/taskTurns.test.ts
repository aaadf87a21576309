import assert from 'node:assert/strict'
import { taskTurns } from './taskTurns.ts'

/** Adds tasks that are named `group.owner number`, or `owner number` without a group. */
const turnsOf = (...tasks: string[]) => {
  const turns = taskTurns<string>(() => 0)
  for (const task of tasks) turns.add(originOf(task), task)
  return turns
}

const originOf = (task: string) => {
  const [owner = ''] = task.split(' ')
  const [group = ''] = owner.split('.')
  return owner === group ? { owner } : { owner, group }
}

const rest = (turns: ReturnType<typeof turnsOf>): string[] => {
  const found: string[] = []
  for (let task = turns.next(); task !== undefined; task = turns.next()) found.push(task)
  return found
}

describe('turns of tasks', () => {
  it('go round-robin across groups, and within a group across its owners', () => {
    const turns = turnsOf('a.1 1', 'a.1 2', 'a.2 1', 'b 1', 'b 2')
    assert.deepEqual(rest(turns), ['a.1 1', 'b 1', 'a.2 1', 'b 2', 'a.1 2'])
    assert.equal(turns.size(), 0)
  })

  it('drop the newest task of the owner with the most, in the group with the most', () => {
    const turns = turnsOf('a.1 1', 'a.2 1', 'a.2 2', 'b 1', 'b 2')
    assert.equal(turns.dropNewest({ owner: 'c' }), 'a.2 2')
    assert.deepEqual([turns.size(), turns.sizeOf({ owner: 'a.2', group: 'a' })], [4, 1])
  })

  it('drop a task of the own group only if another owner there has more', () => {
    const turns = turnsOf('a.1 1', 'a.1 2', 'b 1')
    assert.equal(turns.dropNewest({ owner: 'a.2', group: 'a' }), 'a.1 2')
    assert.equal(turns.dropNewest({ owner: 'a.2', group: 'a' }), undefined)
    assert.deepEqual(rest(turns), ['a.1 1', 'b 1'])
  })

  it('drop nothing if no owner has more than the new one would have', () => {
    assert.equal(turnsOf('a 1', 'b 1').dropNewest({ owner: 'c' }), undefined)
    assert.equal(turnsOf().dropNewest({ owner: 'c' }), undefined)
  })

  it('drop the last task, even if no owner has several', () => {
    const turns = turnsOf('a 1', 'b 1', 'c.1 1', 'c.2 1')
    assert.deepEqual([turns.dropLast(), turns.dropLast(), turns.dropLast()], ['c.2 1', 'c.1 1', 'b 1'])
    assert.deepEqual(rest(turns), ['a 1'])
    assert.deepEqual([turns.dropLast(), turns.size()], [undefined, 0])
  })

  it('remove the oldest tasks that match, and owners without tasks', () => {
    const turns = turnsOf('a.1 1', 'a.2 2', 'a.2 1', 'b 1', 'b 2')
    assert.deepEqual(
      turns.removeOldest((task) => task.endsWith('1')),
      ['a.1 1', 'b 1'],
    )
    assert.deepEqual(rest(turns), ['a.2 2', 'b 2', 'a.2 1'])
  })
})
