import type { Problem } from '../problem.ts'
import { dayMs } from '../time.ts'
import { keyModes, scopes } from './apiKey.ts'
import { textProblems } from './textRules.ts'

/*
 * What an API key may have; keyRestrictions.ts has what it may be limited to, and keyLife.ts its states. Each function
 * returns the problems of one field; the service refuses all of them together.
 */

/**
 * Maximum number of entries of each list of keyRestrictions.ts. Here, because browsers read it, and keyRestrictions.ts
 * needs Node.
 */
export const maxRestrictions = { networks: 50, domains: 50, recipients: 100 } as const

export const tooManyRestrictions = (path: keyof typeof maxRestrictions): Omit<Problem, 'path'> => ({
  code: 'too_many',
  message: `At most ${maxRestrictions[path]} ${path} are allowed; remove some.`,
})

/** Maximum length of the name of a key, in characters. */
const maxNameLength = 100

const problemOfEach = (
  path: string,
  values: readonly string[],
  problem: (value: string) => Omit<Problem, 'path'> | null,
): Problem[] =>
  values.flatMap((value, index) => {
    const found = problem(value)
    return found === null ? [] : [{ path: `${path}[${index}]`, ...found }]
  })

export const keyNameProblems = (name: string): Problem[] => textProblems('name', name, { max: maxNameLength })

export const keyModeProblems = (mode: string): Problem[] =>
  (keyModes as readonly string[]).includes(mode)
    ? []
    : [{ path: 'mode', code: 'invalid_value', message: 'Must be "live" or "test".' }]

export const scopeProblems = (chosen: readonly string[]): Problem[] =>
  problemOfEach('scopes', chosen, (scope) =>
    (scopes as readonly string[]).includes(scope)
      ? null
      : { code: 'unknown_scope', message: `Must be one of ${scopes.join(', ')}.` },
  )

/** @param expiresAt null: never */
export const expiryProblems = (expiresAt: number | null, now: number): Problem[] =>
  expiresAt === null || expiresAt > now
    ? []
    : [{ path: 'expires_at', code: 'in_the_past', message: 'Must be in the future.' }]

/** Time for which a replaced key stays valid. */
export const defaultOverlapMs = dayMs
export const maxOverlapMs = 7 * dayMs

/** What a person sets of a key and can change. */
type KeySettings = {
  name: string
  scopes: readonly string[]
  domains: readonly string[]
  networks: readonly string[]
  recipients: readonly string[]
  expiresAt: number | null
}

/** Returns the settings of a key, to compare them. */
export const keySettings = ({ name, scopes, domains, networks, recipients, expiresAt }: KeySettings): KeySettings => ({
  name,
  scopes,
  domains,
  networks,
  recipients,
  expiresAt,
})
