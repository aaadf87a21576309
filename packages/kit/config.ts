import type { z } from 'zod'
import { type Redact, redactor } from './redact.ts'

/**
 * `unknown`: variables with our prefix that the process does not read, such as a mistyped one. `redact` removes the
 * secrets of the environment from a text.
 */
type Unknown = { unknown: string[]; redact?: Redact }

/** An invalid configuration: one line per error. `run` prints them and exits with 2. */
export type ConfigErrors = Unknown & { errors: string[] }

export type ReadConfig<Config> = Unknown & { config: Config }

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
  const unknown = Object.keys(env).filter((name) => name.startsWith('POSTRIDER_') && !known.includes(name))
  const redact = redactor(env)
  if (result.success) return { config: result.data, unknown, redact }
  // Rules over several variables report last; an operator reads the variables in the order of docs/config.md.
  const place = ({ path: [name] }: z.core.$ZodIssue): number => known.indexOf(String(name))
  const issues = result.error.issues.toSorted((a, b) => place(a) - place(b))
  return { errors: issues.map((issue) => redact(`${issue.path.join('.')}: ${issue.message}`)), unknown, redact }
}
