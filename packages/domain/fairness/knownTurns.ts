import { type TaskOrigin, type TaskTurns, taskTurns } from './taskTurns.ts'

/**
 * `isKnown`: the task is of someone who was here before, such as a login from a network that the account was used from.
 */
export type KnownOrigin = TaskOrigin & { isKnown?: boolean }

/**
 * Tasks that wait, in two classes: of known origins, and of others. While both wait, they start alternately. Guesses
 * from hundreds of networks, one from each, fill all slots without a flood from any of them: a known task then takes
 * the slot of another one, as long as fewer known tasks wait than others. So neither class can exclude the other.
 * Within a class the rules of `taskTurns` apply.
 */
export const knownTurns = <Task>(): Omit<TaskTurns<Task>, 'dropLast'> => {
  const [known, others] = [taskTurns<Task>(), taskTurns<Task>()]
  const classOf = ({ isKnown }: KnownOrigin): TaskTurns<Task> => (isKnown ? known : others)
  let wasKnown = false
  return {
    add: (origin: KnownOrigin, task) => classOf(origin).add(origin, task),
    next: () => {
      const isKnown = known.size() > 0 && (others.size() === 0 || !wasKnown)
      wasKnown = isKnown
      return classOf({ owner: '', isKnown }).next()
    },
    dropNewest: (origin: KnownOrigin) => {
      const isDisplacing = origin.isKnown && known.size() < others.size()
      return isDisplacing ? others.dropLast() : classOf(origin).dropNewest(origin)
    },
    removeOldest: (matches) => [...known.removeOldest(matches), ...others.removeOldest(matches)],
    sizeOf: (origin) => known.sizeOf(origin) + others.sizeOf(origin),
    size: () => known.size() + others.size(),
  }
}
