import assert from 'node:assert/strict'
import fc from 'fast-check'
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

  // Regression: the recent work of each group was read at a time of its own. A busy process that paused in between
  // chose a group before another one with as much work.
  it('go round-robin however long the process pauses between two reads of the clock', () => {
    let reads = 0
    const turns = taskTurns<string>(() => 2 ** reads++)
    for (const task of ['a 1', 'a 2', 'b 1', 'b 2']) turns.add(originOf(task), task)
    assert.deepEqual(rest(turns), ['a 1', 'b 1', 'a 2', 'b 2'])
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

/** What waits and what has started, without turns: which tasks a call may return follows from the numbers alone. */
const countedTasks = () => {
  const waiting: string[] = []
  const started: string[] = []
  const ownerOf = (task: string): string => originOf(task).owner
  const groupOf = (task: string): string => ownerOf(task).charAt(0)
  const ofOwner = (owner: string): string[] => waiting.filter((task) => ownerOf(task) === owner)
  const inGroup = (group: string): string[] => waiting.filter((task) => groupOf(task) === group)
  const workOf = (group: string): number => Math.min(20, started.filter((task) => groupOf(task) === group).length)
  const usedBy = (group: string): number => inGroup(group).length + workOf(group)
  const groups = (): string[] => [...new Set(waiting.map(groupOf))]
  const owners = (group: string): string[] => [...new Set(inGroup(group).map(ownerOf))]
  const most = (names: string[], size: (name: string) => number): string[] => {
    const largest = Math.max(...names.map(size))
    return names.filter((name) => size(name) === largest)
  }
  const newestOf = (group: string): (string | undefined)[] =>
    most(owners(group), (owner) => ofOwner(owner).length).map((owner) => ofOwner(owner).at(-1))
  return {
    waiting,
    started,
    ofOwner,
    remove: (task: string | undefined): void => {
      if (task !== undefined) waiting.splice(waiting.indexOf(task), 1)
    },
    /** Each of these returns the tasks that a call may return. */
    next: (): (string | undefined)[] => {
      const first = most(groups(), (group) => -workOf(group))
        .flatMap(owners)
        .map((owner) => ofOwner(owner)[0])
      return waiting.length === 0 ? [undefined] : first
    },
    dropLast: (): (string | undefined)[] =>
      waiting.length === 0 ? [undefined] : most(groups(), usedBy).flatMap(newestOf),
    dropNewest: (origin: string): (string | undefined)[] => {
      const own = groupOf(origin)
      const busiest = most(groups(), usedBy)
      if (busiest.some((group) => usedBy(group) > usedBy(own) + 1)) return busiest.flatMap(newestOf)
      const longest = Math.max(0, ...owners(own).map((owner) => ofOwner(owner).length))
      return longest > ofOwner(ownerOf(origin)).length + 1 ? newestOf(own) : [undefined]
    },
    oldest: (matches: (task: string) => boolean): string[] =>
      [...new Set(waiting.map(ownerOf))].flatMap((owner) => {
        const tasks = ofOwner(owner)
        const first = tasks.findIndex((task) => !matches(task))
        return first < 0 ? tasks : tasks.slice(0, first)
      }),
  }
}

describe('turns of tasks in a random sequence', () => {
  const owner = fc.constantFrom('a.1', 'a.2', 'b', 'c.1', 'c.2')
  const kind = fc.constantFrom('add', 'add', 'add', 'next', 'dropNewest', 'dropLast', 'removeOldest')

  // All other tests pass if one of these calls does not count what it removes from a group.
  it('are by the number of tasks that each group and owner has', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(kind, owner), { minLength: 20, maxLength: 80, size: 'max' }), (calls) => {
        const [turns, model] = [turnsOf(), countedTasks()]
        const removes = (found: string | undefined, allowed: (string | undefined)[]): void => {
          assert.ok(allowed.includes(found), `${found} instead of ${allowed}`)
          model.remove(found)
        }
        for (const [number, [call, name]] of calls.entries()) {
          const task = `${name} ${number}`
          if (call === 'add') {
            turns.add(originOf(task), task)
            model.waiting.push(task)
          } else if (call === 'next') {
            const found = turns.next()
            removes(found, model.next())
            if (found !== undefined) model.started.push(found)
          } else if (call === 'dropNewest') removes(turns.dropNewest(originOf(task)), model.dropNewest(task))
          else if (call === 'dropLast') removes(turns.dropLast(), model.dropLast())
          else {
            const isOld = (one: string): boolean => Number(one.split(' ')[1]) < number / 2
            const expected = model.oldest(isOld)
            assert.deepEqual(turns.removeOldest(isOld).toSorted(), expected.toSorted())
            expected.forEach(model.remove)
          }
          assert.deepEqual(
            [turns.size(), turns.sizeOf(originOf(task))],
            [model.waiting.length, model.ofOwner(name).length],
          )
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
