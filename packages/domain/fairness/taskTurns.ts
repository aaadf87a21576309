import { recentWork } from './recentWork.ts'

/** Origin of a task: the tasks of an owner wait for each other, and the owners of a group share its turns. */
export type TaskOrigin = {
  owner: string
  /** Absent: the owner has turns of its own. */
  group?: string
  /** Groups of one area may all belong to one person (recentWork.ts). Absent: the group is on its own. */
  area?: string
}

/**
 * Tasks that wait. The group that had least work recently is next, and of several the one whose turn is earlier; within
 * a group its owners take turns, and the tasks of an owner are oldest first.
 * `fairQueue` and `evictionQueue` do not fit: they have one level of owners and give up only their oldest items. Here
 * the oldest task of an owner is the next to start, so the newest is dropped.
 */
export type TaskTurns<Task> = {
  add(origin: TaskOrigin, task: Task): void
  /** Removes and returns the task whose turn it is. */
  next(): Task | undefined
  /**
   * Removes and returns the newest task of the owner that has the most, in the group that has the most, so that a flood
   * cannot hold all slots; undefined: none has more than that of `origin` would have. What a group has are its tasks
   * that wait and its recent work.
   */
  dropNewest(origin: TaskOrigin): Task | undefined
  /**
   * Removes and returns the newest task of the owner that has the most, in the group that has the most: of several, the
   * last.
   */
  dropLast(): Task | undefined
  /** Removes and returns the tasks that match; of each owner, those before the first that does not match. */
  removeOldest(matches: (task: Task) => boolean): Task[]
  sizeOf(origin: TaskOrigin): number
  size(): number
}

/** The tasks of each owner of a group, and their number. */
type Group<Task> = { area: string | undefined; owners: Map<string, Task[]>; size: number }

const newGroup = <Task>(area: string | undefined): Group<Task> => ({ area, owners: new Map(), size: 0 })

/** Returns the largest value, the first of several; null: there is none. */
const largest = <Value>(values: Iterable<Value>, size: (value: Value) => number): Value | null => {
  let [found, foundSize]: [Value | null, number] = [null, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    const valueSize = size(value)
    if (valueSize > foundSize) [found, foundSize] = [value, valueSize]
  }
  return found
}

/** Moves an entry to the end, because it has had its turn; removes it if it is empty. */
const rotate = <Value>(entries: Map<string, Value>, name: string, value: Value, isEmpty: boolean): void => {
  entries.delete(name)
  if (!isEmpty) entries.set(name, value)
}

/** Removes and returns the tasks before the first that does not match. */
const removeMatching = <Task>(tasks: Task[], matches: (task: Task) => boolean): Task[] => {
  const first = tasks.findIndex((task) => !matches(task))
  return tasks.splice(0, first < 0 ? tasks.length : first)
}

/** @param elapsed monotonic time in milliseconds */
export const taskTurns = <Task>(elapsed: () => number): TaskTurns<Task> => {
  /** Groups in the order of their next turns. Only groups and owners with tasks are in the maps. */
  const groups = new Map<string, Group<Task>>()
  /** `now` is read once for each decision, so that all groups are compared at the same time. */
  let [now, size] = [0, 0]
  const recent = recentWork(() => now)
  const tasksOf = ({ owner, group = owner }: TaskOrigin): Task[] => groups.get(group)?.owners.get(owner) ?? []
  const workOf = ([name, { area }]: [string, Group<Task>]): number => recent.of({ owner: name, area })
  const usedBy = (entry: [string, Group<Task>]): number => entry[1].size + workOf(entry)

  const dropNewest = (origin: TaskOrigin): Task | undefined => {
    now = elapsed()
    const { group: name = origin.owner, area } = origin
    const own: [string, Group<Task>] = [name, groups.get(name) ?? newGroup(area)]
    const busiest = largest(groups, usedBy)
    const chosen = busiest && usedBy(busiest) > usedBy(own) + 1 ? busiest : own
    const most = largest(chosen[1].owners, ([, { length }]) => length)
    if (!most || (chosen[1] === own[1] && most[1].length <= tasksOf(origin).length + 1)) return undefined
    return removeNewest(chosen, most)
  }

  const removeNewest = ([name, group]: [string, Group<Task>], [owner, tasks]: [string, Task[]]): Task | undefined => {
    const removed = tasks.pop()
    if (tasks.length === 0) group.owners.delete(owner)
    if (group.owners.size === 0) groups.delete(name)
    group.size -= 1
    size -= 1
    return removed
  }

  const dropLast = (): Task | undefined => {
    now = elapsed()
    const busiest = largest([...groups].toReversed(), usedBy)
    const most = largest([...(busiest?.[1].owners ?? [])].toReversed(), ([, { length }]) => length)
    return busiest && most ? removeNewest(busiest, most) : undefined
  }

  return {
    add: (origin, task) => {
      const { owner, group = owner, area } = origin
      const found = groups.get(group) ?? newGroup<Task>(area)
      found.owners.set(owner, [...tasksOf(origin), task])
      found.size += 1
      groups.set(group, found)
      size += 1
    },
    next: () => {
      now = elapsed()
      const nextGroup = largest(groups, (entry) => -workOf(entry))
      const [nextOwner] = nextGroup?.[1].owners ?? []
      const next = nextOwner?.[1].shift()
      if (!nextGroup || !nextOwner || next === undefined) return undefined
      const [name, { area, owners }] = nextGroup
      rotate(owners, ...nextOwner, nextOwner[1].length === 0)
      rotate(groups, ...nextGroup, owners.size === 0)
      recent.add({ owner: name, area })
      nextGroup[1].size -= 1
      size -= 1
      return next
    },
    dropNewest,
    dropLast,
    removeOldest: (matches) => {
      const removed: Task[] = []
      for (const [name, group] of groups) {
        for (const [owner, tasks] of group.owners) {
          const oldest = removeMatching(tasks, matches)
          removed.push(...oldest)
          group.size -= oldest.length
          if (tasks.length === 0) group.owners.delete(owner)
        }
        if (group.owners.size === 0) groups.delete(name)
      }
      size -= removed.length
      return removed
    },
    sizeOf: (origin) => tasksOf(origin).length,
    size: () => size,
  }
}
