import { type TaskOrigin, type TaskTurns, taskTurns } from './taskTurns.ts'

/**
 * `isKnown`: the task is of someone who was here before, such as a login from a network that the account was used from.
 */
export type KnownOrigin = TaskOrigin & { isKnown?: boolean }

/** Tasks of other origins replace known ones only while fewer than this part of the number of known tasks wait. */
const otherShare = 1 / 8

/**
 * Tasks that wait, in two classes: of known origins, and of others. While both wait, they start alternately. Guesses
 * from hundreds of networks, one from each, fill all slots without a flood from any of them: a known task then takes
 * the slot of another one, as long as fewer known tasks wait than others. A task of another origin takes the slot of a
 * known one only as long as very few others wait. So neither class can exclude the other. Within a class the rules of
 * `taskTurns` apply, separately: guesses from a network do not delay users who are known there.
 *
 * Bound on the wait. A group, such as the clients of one network, is the set of owners that share turns (`TaskOrigin`).
 * Before the next task of a group starts, at most these start:
 * 1. of each other group of its class with less recent work (recentWork.ts): the difference, rounded up;
 * 2. of each other group of its class with equal recent work: one task;
 * 3. of the other class: as many tasks as those together, and one more.
 *
 * Of N networks that guess passwords, each is in front once. Then it has had work, and a login from any other network
 * waits for the tasks that run, and for one task of the other class. The limit of this rule: while networks wait that
 * had less work, one with many recent hashes gets no turn for a login that is not known there.
 *
 * @param elapsed monotonic time in milliseconds
 */
export const knownTurns = <Task>(elapsed: () => number): Omit<TaskTurns<Task>, 'dropLast'> => {
  const [known, others] = [taskTurns<Task>(elapsed), taskTurns<Task>(elapsed)]
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
      if (origin.isKnown && known.size() < others.size()) return others.dropLast()
      if (!origin.isKnown && others.size() < known.size() * otherShare) return known.dropLast()
      return classOf(origin).dropNewest(origin)
    },
    removeOldest: (matches) => [...known.removeOldest(matches), ...others.removeOldest(matches)],
    sizeOf: (origin) => known.sizeOf(origin) + others.sizeOf(origin),
    size: () => known.size() + others.size(),
  }
}
