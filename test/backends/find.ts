import process from 'node:process'
import { type BackendName, type Situation, variables, type Way, waysTo, whyNone } from './choose.ts'
import { whyNoEngine } from './engine.ts'
import type { Instance } from './instance.ts'
import { whyNoJars } from './jars.ts'
import { startKafka } from './kafka.ts'
import { startMongo } from './mongo.ts'
import { startRedis } from './redis.ts'

export { type BackendName, variables }

/** A back end wherever it was found; disposing of it stops what was started for us. */
export type Found = AsyncDisposable & { address: string; what: string }

const fromJars: Record<BackendName, { start: () => Promise<Instance>; what: string }> = {
  mongodb: { start: startMongo, what: 'stand-in (mongo-java-server 1.47, in memory)' },
  kafka: { start: startKafka, what: 'Kafka 4.1.1 from the jars' },
  redis: { start: startRedis, what: 'Redis 6.2 from the jars' },
}

const take = async (name: BackendName, way: Way): Promise<Found> => {
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

/**
 * Finds a back end or starts one; the choice is printed. docs/testing.md tells where it is looked for.
 * @returns null: none can be had
 * @throws Error none can be had, and `CI` is `true`
 */
export const findBackend = async (name: BackendName): Promise<Found | null> => {
  const given = process.env[variables[name]]
  const situation: Situation = given
    ? { given, noEngine: null, noJars: null }
    : { given, noEngine: await whyNoEngine(), noJars: await whyNoJars() }
  for (const way of waysTo(situation)) {
    try {
      const found = await take(name, way)
      console.log(`back end ${name}: ${found.what}, ${withoutLogin(found.address)}`)
      return found
    } catch (reason) {
      console.log(`back end ${name}: not by ${way.kind}: ${reason instanceof Error ? reason.message : reason}`)
    }
  }
  console.log(whyNone(name, situation))
  if (process.env['CI'] === 'true') throw new Error(whyNone(name, situation))
  return null
}

const withoutLogin = (address: string): string => address.replace(/^\w+:\/\/([^@/]*@)?/, '')
