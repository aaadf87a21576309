import { Config as Prepare } from '@postrider/prepare/config.ts'
import { clusterConfigs } from '@postrider/standalone/config.ts'
import type { z } from 'zod'
import { memoryNeed } from './memory.ts'

/** The configuration of each program: the only source of the chart's ports, variables and network flows. */
export const services: Record<string, z.ZodObject> = clusterConfigs

export const prepare: z.ZodObject = Prepare

/** Returns the variables of a program by name, in the order of docs/config.md. */
export const variablesOf = (config: z.ZodObject): Record<string, z.ZodType> =>
  config.shape as unknown as Record<string, z.ZodType>

const portOf = (config: z.ZodObject, name: string): number | undefined => {
  const variable = variablesOf(config)[name]
  return variable === undefined ? undefined : Number(variable.parse(undefined))
}

/** Required only where other variables are not set; its key may be absent from the Secret. */
const fallback = 'POSTRIDER_WIRE_TOKEN'

/**
 * A dispatcher of an installation without sending domains starts without it; with the chart it would hold all their
 * mail.
 */
const ofDomains = 'POSTRIDER_SECRET'

/** Returns the names of variables that need a source. */
const requiredOf = (config: z.ZodObject): string[] =>
  Object.entries(variablesOf(config)).flatMap(([name, variable]) =>
    variable.safeParse(undefined).success && name !== fallback && name !== ofDomains ? [] : name,
  )

const programOf = (name: string, config: z.ZodObject) => {
  const port = portOf(config, 'PORT')
  return {
    ...(port !== undefined && { protocol: name === 'gateway' ? 'http' : 'grpc', port }),
    metricsPort: portOf(config, 'METRICS_PORT'),
    variables: Object.keys(variablesOf(config)),
    required: requiredOf(config),
  }
}

/** Returns the contents of files/services.json and files/prepare.json. */
export const programs = () => ({
  services: Object.fromEntries(
    Object.entries(services).map(([name, config]) => [name, { ...programOf(name, config), memory: memoryNeed(name) }]),
  ),
  prepare: { variables: Object.keys(variablesOf(prepare)), required: requiredOf(prepare) },
})
