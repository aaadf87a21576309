import { closestMatch } from 'leven'
import type { z } from 'zod'
import { type Redact, redactor } from './redact.ts'

/**
 * `unknown`: variables with our prefix that the process does not read, such as a mistyped one. `meant`: the variables
 * that some of them probably stand for. `redact` removes the secrets of the environment from a text.
 */
type Unknown = { unknown: string[]; meant?: Readonly<Record<string, string>>; redact?: Redact }

/** An invalid configuration: one line per error. `run` prints them and exits with 2. */
export type ConfigErrors = Unknown & { errors: string[] }

export type ReadConfig<Config> = Unknown & { config: Config }

const prefix = 'POSTRIDER_'
/** Maximum number of edits between a typo and the variable that was meant. */
const maxEdits = 2

/** Returns the variable that an unknown one probably stands for; undefined: none. */
const meantBy = (unknown: string, known: readonly string[]): string | undefined => {
  const bare = unknown.slice(prefix.length)
  return known.includes(bare) ? bare : closestMatch(unknown, known, { maxDistance: maxEdits })
}

/** `docker --env-file` and `kubectl create --from-env-file` pass quotes on, which a shell and systemd remove. */
const inQuotes = /^(["']).*\1$/s

/**
 * Parses the environment with a zod object; an empty variable counts as unset.
 * @returns the configuration, or all of its errors
 */
export const readConfig = <Schema extends z.ZodObject>(
  schema: Schema,
  env: Record<string, string | undefined>,
): ReadConfig<z.output<Schema>> | ConfigErrors => {
  const known = Object.keys(schema.shape)
  const input = Object.fromEntries(known.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
  const result = schema.safeParse(input)
  const unknown = Object.keys(env).filter((name) => name.startsWith(prefix) && !known.includes(name))
  const meant = Object.fromEntries(unknown.flatMap((name) => [[name, meantBy(name, known)]].filter(([, to]) => to)))
  const redact = redactor(env)
  if (result.success) return { config: result.data, unknown, meant, redact }
  // Rules over several variables report last; an operator reads the variables in the order of docs/config.md.
  const rank = ({ path: [name] }: z.core.$ZodIssue): number => known.indexOf(String(name))
  const issues = result.error.issues.toSorted((a, b) => rank(a) - rank(b))
  const quotes = (name: string): string =>
    inQuotes.test(env[name] ?? '') ? '; the value is in quotes, which are a part of it: remove them' : ''
  const errors = issues.map(({ path, message }) => redact(`${path.join('.')}: ${message}${quotes(String(path[0]))}`))
  return { errors, unknown, meant, redact }
}
