import { secretVariables } from '@postrider/kit/redact.ts'
import { z } from 'zod'
import { services, variablesOf } from './programs.ts'

/** Variables that the chart sets from the programs and from other values. */
const setByChart = new Set([
  ...[
    'PORT',
    'METRICS_PORT',
    'POSTRIDER_HOST',
    'POSTRIDER_REPLICAS',
    'POSTRIDER_INSTALLATION',
    'POSTRIDER_INSTALLATION_TAKE_OVER',
    'POSTRIDER_WIRE_CA',
    'POSTRIDER_WIRE_CERT',
    'POSTRIDER_WIRE_KEY',
    'POSTRIDER_WIRE_IDENTITY',
  ],
  ...Object.keys(services).map((name) => `POSTRIDER_${name.toUpperCase()}`),
])

export type JsonSchema = Record<string, unknown>

const schemaOf = (schema: z.ZodType): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-7' })
  return rest
}

/**
 * The templates refuse a secret in clear text and explain what to do. A pattern here would print the password of a mail
 * route.
 */
const secretSchema = (name: string, variable: z.ZodType): JsonSchema => {
  if (name === 'POSTRIDER_ROUTE') return { ...schemaOf(variable), type: 'string' }
  return { description: `A secret: see secrets.variables.${name}.` }
}

const isSecret = (name: string): boolean => (secretVariables as readonly string[]).includes(name)

/** Returns the schema of variables that may be set, for all services or for one. */
const settable = (variables: Record<string, z.ZodType>): JsonSchema => {
  const properties = Object.entries(variables)
    .filter(([name]) => !setByChart.has(name))
    .map(([name, variable]) => [name, isSecret(name) ? secretSchema(name, variable) : schemaOf(variable)])
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false }
}

/**
 * Returns the programs' schemas of their variables by name of the definition, without secrets and variables that the
 * chart sets.
 */
export const configSchemas = (): Record<string, JsonSchema> => {
  const all = Object.assign({}, ...Object.values(services).map(variablesOf)) as Record<string, z.ZodType>
  const ofOne = Object.entries(services).map(([name, config]) => [`${name}Config`, settable(variablesOf(config))])
  return { config: settable(all), ...Object.fromEntries(ofOne) }
}
