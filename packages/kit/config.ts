import type { z } from 'zod'

/** `unknown`: variables that look like ours and aren't, such as a mistyped one. */
type Unknown = { unknown: string[] }

/** A configuration that can't be used: every fault of it, a line each. `run` prints them and exits with 2. */
export type ConfigFaults = Unknown & { faults: string[] }

export type ReadConfig<Config> = Unknown & { config: Config }

/**
 * Reads the environment against a zod object; an empty variable counts as unset.
 * @returns the configuration, or every fault it has
 */
export const readConfig = <Schema extends z.ZodObject>(
  schema: Schema,
  env: Record<string, string | undefined>,
): ReadConfig<z.output<Schema>> | ConfigFaults => {
  const known = Object.keys(schema.shape)
  const input = Object.fromEntries(known.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
  const result = schema.safeParse(input)
  const unknown = Object.keys(env).filter((name) => name.startsWith('POSTRIDER_') && !known.includes(name))
  if (result.success) return { config: result.data, unknown }
  return { faults: result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`), unknown }
}
