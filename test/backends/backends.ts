import process from 'node:process'
import { type BackendName, type Situation, variables, type Way, waysTo, whyNone } from './choose.ts'
import { whyNoEngine } from './engine.ts'
import type { Instance } from './instance.ts'
import { whyNoJars } from './jars.ts'
import { startKafka } from './kafka.ts'
import { startMongo } from './mongo.ts'
import { startRedis } from './redis.ts'

export type { BackendName }

type Shared = AsyncDisposable & { address: string; what: string }

/** How long the first suite may wait: a fresh machine fetches the jars or the image first. */
const startMs = 400_000

const fromJars: Record<BackendName, { start: () => Promise<Instance>; what: string }> = {
  mongodb: { start: startMongo, what: 'stand-in (mongo-java-server 1.47, in memory)' },
  kafka: { start: startKafka, what: 'Kafka 4.1.1 from the jars' },
  redis: { start: startRedis, what: 'Redis 6.2 from the jars' },
}

const take = async (name: BackendName, way: Way): Promise<Shared> => {
  if (way.kind === 'given')
    return { address: way.address, what: `given by ${variables[name]}`, [Symbol.asyncDispose]: async () => undefined }
  if (way.kind === 'jars') {
    const { start, what } = fromJars[name]
    const instance = await start()
    return { address: instance.address, what, [Symbol.asyncDispose]: () => instance[Symbol.asyncDispose]() }
  }
  // Heavy, so loaded only where there is an engine to talk to.
  const { startContainer } = await import('./containers.ts')
  return startContainer[name]()
}

const find = async (name: BackendName): Promise<Shared | null> => {
  const given = process.env[variables[name]]
  const situation: Situation = given
    ? { given, noEngine: null, noJars: null }
    : { given, noEngine: await whyNoEngine(), noJars: await whyNoJars() }
  for (const way of waysTo(situation)) {
    try {
      const shared = await take(name, way)
      console.log(`back end ${name}: ${shared.what}, ${withoutLogin(shared.address)}`)
      return shared
    } catch (reason) {
      console.log(`back end ${name}: not by ${way.kind}: ${reason instanceof Error ? reason.message : reason}`)
    }
  }
  console.log(whyNone(name, situation))
  if (process.env['CI'] === 'true') throw new Error(whyNone(name, situation))
  return null
}

const withoutLogin = (address: string): string => address.replace(/^\w+:\/\/([^@/]*@)?/, '')

// What all files of this run share: a JVM a file would cost more than the tests do.
const started = new Map<BackendName, Promise<Shared | null>>()

after(async function stopShared() {
  this.timeout(60_000)
  for (const shared of started.values()) await (await shared.catch(() => null))?.[Symbol.asyncDispose]()
})

/**
 * Address of a back end that all suites of this run share, started by the first that asks; null: none can be had.
 * docs/testing.md tells where it is looked for.
 * @throws Error none can be had, and `CI` is `true`
 */
export const sharedBackend = async (name: BackendName): Promise<string | null> => {
  let shared = started.get(name)
  if (shared === undefined) {
    shared = find(name)
    started.set(name, shared)
  }
  return (await shared)?.address ?? null
}

/** To be called in a `describe`: tells its tests where a back end is; they are skipped where it can't be had. */
export const useBackend = (name: BackendName): (() => string) => {
  let address: string | null = null
  before(async function startShared() {
    this.timeout(startMs)
    address = await sharedBackend(name)
    if (address === null) this.skip()
  })
  return () => {
    if (address === null) throw new Error(`${name} is there inside of tests only`)
    return address
  }
}

/** To be called in a `describe` whose tests start back ends of their own (`startMongo`, …): skipped where there are no jars. */
export const needsOwnBackends = (): void => {
  before(async function skipWithoutJars() {
    this.timeout(startMs)
    const why = await whyNoJars()
    if (why === null) return
    console.log(`back ends of a suite's own: none; ${why}`)
    this.skip()
  })
}
