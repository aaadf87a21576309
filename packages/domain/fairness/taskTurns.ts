/** Origin of a task: the tasks of an owner wait for each other, and the owners of a group share its turns. */
export type TaskOrigin = {
  owner: string
  /** Absent: the owner has turns of its own. */
  group?: string
}

/**
 * Tasks that wait. Groups take turns, and within a group its owners; the tasks of an owner are oldest first.
 * `fairQueue` and `evictionQueue` do not fit: they have one level of owners and give up only their oldest items. Here
 * the oldest task of an owner is the next to start, so the newest is dropped.
 */
export type TaskTurns<Task> = {
  add(origin: TaskOrigin, task: Task): void
  /** Removes and returns the task whose turn it is. */
  next(): Task | undefined
  /**
   * Removes and returns the newest task of the owner that has the most, in the group that has the most, so that a flood
   * cannot hold all slots; undefined: no owner has more than that of `origin` would have.
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

/** The tasks of each owner of a group. */
type Owners<Task> = Map<string, Task[]>

const lengthOf = <Task>(owners: Owners<Task> = new Map()): number => [...owners.values()].flat().length

/** Returns the largest value, the first of several; null: there is none. */
const largest = <Value>(values: readonly Value[], size: (value: Value) => number): Value | null =>
  values.reduce<Value | null>((found, value) => (found && size(found) >= size(value) ? found : value), null)

/** Removes the first entry and adds it again at the end: it has had its turn. */
const rotate = <Value>(entries: Map<string, Value>, name: string, value: Value, isEmpty: boolean): void => {
  entries.delete(name)
  if (!isEmpty) entries.set(name, value)
}

export const taskTurns = <Task>(): TaskTurns<Task> => {
  /** Groups in the order of their next turns. Only groups and owners with tasks are in the maps. */
  const groups = new Map<string, Owners<Task>>()
  let size = 0
  const tasksOf = ({ owner, group = owner }: TaskOrigin): Task[] => groups.get(group)?.get(owner) ?? []

  const dropNewest = (origin: TaskOrigin): Task | undefined => {
    const own = groups.get(origin.group ?? origin.owner)
    const busiest = largest([...groups.values()], lengthOf)
    const chosen = busiest && lengthOf(busiest) > lengthOf(own) + 1 ? busiest : own
    const tasks = largest([...(chosen?.values() ?? [])], ({ length }) => length)
    if (!tasks || (chosen === own && tasks.length <= tasksOf(origin).length + 1)) return undefined
    return removeNewest(tasks)
  }

  const removeNewest = (tasks: Task[]): Task | undefined => {
    const removed = tasks.pop()
    for (const [group, owners] of groups) {
      for (const [owner, { length }] of owners) if (length === 0) owners.delete(owner)
      if (owners.size === 0) groups.delete(group)
    }
    size -= 1
    return removed
  }

  const dropLast = (): Task | undefined => {
    const busiest = largest([...groups.values()].toReversed(), lengthOf)
    const tasks = largest([...(busiest?.values() ?? [])].toReversed(), ({ length }) => length)
    return tasks ? removeNewest(tasks) : undefined
  }

  return {
    add: (origin, task) => {
      const { owner, group = owner } = origin
      const owners = groups.get(group) ?? new Map<string, Task[]>()
      owners.set(owner, [...tasksOf(origin), task])
      groups.set(group, owners)
      size += 1
    },
    next: () => {
      const [nextGroup] = groups
      const [nextOwner] = nextGroup?.[1] ?? []
      const next = nextOwner?.[1].shift()
      if (!nextGroup || !nextOwner || next === undefined) return undefined
      rotate(nextGroup[1], ...nextOwner, nextOwner[1].length === 0)
      rotate(groups, ...nextGroup, nextGroup[1].size === 0)
      size -= 1
      return next
    },
    dropNewest,
    dropLast,
    removeOldest: (matches) => {
      const removed: Task[] = []
      for (const [group, owners] of groups) {
        for (const [owner, tasks] of owners) {
          const first = tasks.findIndex((task) => !matches(task))
          removed.push(...tasks.splice(0, first < 0 ? tasks.length : first))
          if (tasks.length === 0) owners.delete(owner)
        }
        if (owners.size === 0) groups.delete(group)
      }
      size -= removed.length
      return removed
    },
    sizeOf: (origin) => tasksOf(origin).length,
    size: () => size,
  }
}
