import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allowedCalls, type CallerName, intakeSpec, type MethodRules } from '@postrider/contracts/services.ts'
import { readConfig } from '@postrider/kit/config.ts'
import { clusterConfigs } from '@postrider/standalone/config.ts'
import { serviceNames } from './cluster/member.ts'
import { root } from './support/project.ts'

type Calls = Record<string, readonly string[]>

const peers = ['accounts', 'templates', 'quota', 'intake', 'domains', 'webhooks'] as const
/** A call of another service, such as `quota.Reserve(` or `templates.Get` as an argument. */
const callPattern = new RegExp(`\\b(${peers.join('|')})\\??\\.([A-Z]\\w+)`, 'g')

/** The methods that are called in place of one that an earlier release has, by that one. */
const replacements = Map.groupBy(
  Object.entries<MethodRules<unknown>>(intakeSpec.methods).map(([name, { formerMethod }]) => ({ name, formerMethod })),
  ({ formerMethod }) => formerMethod,
)

/** Returns the methods of each service that the code of a service calls. */
const callsIn = (service: string): Calls => {
  const found = new Map<string, Set<string>>()
  const files = globSync(`services/${service}/**/*.ts`, { cwd: root })
  for (const file of files.filter((name) => !/\.test\.ts$|[tT]est(Rig|Gateway)|fakes/.test(name)))
    for (const [, peer = '', method = ''] of readFileSync(join(root, file), 'utf8').matchAll(callPattern))
      if (peer !== service)
        for (const one of [method, ...(replacements.get(method) ?? []).map(({ name }) => name)])
          found.set(peer, (found.get(peer) ?? new Set<string>()).add(one))
  return sorted(Object.fromEntries([...found].map(([peer, methods]) => [peer, [...methods]])))
}

const sorted = (calls: Calls): Calls =>
  Object.fromEntries(
    Object.entries(calls)
      .map(([peer, methods]) => [peer, methods.toSorted()] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )

describe('table of allowed calls', () => {
  for (const service of serviceNames)
    it(`contains each method that ${service} calls, and no other`, () => {
      assert.deepEqual(sorted(allowedCalls[service as CallerName] ?? {}), callsIn(service))
    })
})

describe('wire tokens of each caller', () => {
  const configs: Record<string, Parameters<typeof readConfig>[0]> = clusterConfigs
  const wireErrors = (service: string, env: Record<string, string>): string[] => {
    const config = configs[service]
    assert.ok(config)
    const read = readConfig(config, env)
    return 'errors' in read ? read.errors.filter((error) => error.startsWith('POSTRIDER_WIRE_')) : []
  }
  const tokenOf = (caller: string): string => `POSTRIDER_WIRE_TOKEN_${caller.toUpperCase()}`
  const callersOf = (service: string): string[] =>
    Object.entries(allowedCalls).flatMap(([caller, calls]) => (service in calls ? [caller] : []))

  // The templates process read only the shared token, so it refused every call where each caller has its own.
  for (const service of peers)
    it(`are read by ${service}, which needs them or a shared one`, () => {
      for (const caller of callersOf(service)) assert.ok(tokenOf(caller) in (configs[service]?.shape ?? {}), caller)
      const names = new Set([...callersOf(service), ...(service in allowedCalls ? [service] : [])])
      const tokens = [...names].map((caller) => [tokenOf(caller), caller.padEnd(32, '.')])
      assert.deepEqual(wireErrors(service, Object.fromEntries(tokens)), [])
      assert.deepEqual(wireErrors(service, { POSTRIDER_WIRE_TOKEN: 'shared'.padEnd(32, '.') }), [])
      assert.equal(wireErrors(service, {}).length, 1)
    })
})
