import type { Filter } from 'mongodb'

/**
 * Returns one filter of all conditions. Those of different fields are its members, and those of one field are one
 * condition if they have different operators: not every server uses an index inside `$and`.
 */
export const allOf = <Doc>(conditions: readonly Filter<Doc>[]): Filter<Doc> => {
  const [members, others]: [Record<string, unknown>, Filter<Doc>[]] = [{}, []]
  for (const condition of conditions) {
    const joined = Object.entries(condition).map(([name, value]) => [name, joinedWith(members[name], value)] as const)
    if (joined.some(([, value]) => value === undefined)) others.push(condition)
    else Object.assign(members, Object.fromEntries(joined))
  }
  return { ...members, ...(others.length > 0 && { $and: others }) } as Filter<Doc>
}

/** Returns both conditions of a field as one; undefined: they have the same operator, or one of them is a value. */
const joinedWith = (given: unknown, more: unknown): unknown => {
  if (given === undefined) return more
  if (!isOperators(given) || !isOperators(more) || Object.keys(more).some((operator) => operator in given))
    return undefined
  return { ...given, ...more }
}

const isOperators = (condition: unknown): condition is Record<string, unknown> =>
  typeof condition === 'object' && condition !== null && Object.keys(condition).every((name) => name.startsWith('$'))
