import process from 'node:process'
import { step } from '../support/progress.ts'
import { whyNoEngine } from './engine.ts'
import type { Instance } from './instance.ts'
import { whyNoJars } from './jars.ts'
import { startKafka } from './kafka.ts'
import { startMongo } from './mongo.ts'
import { startRedis } from './redis.ts'

export type BackendName = 'mongodb' | 'kafka' | 'redis'

/** The variables that give an address: a MongoDB URL, `host:port` of brokers separated by commas, a Redis URL. */
export const variables: Record<BackendName, string> = {
  mongodb: 'POSTRIDER_TEST_MONGODB_URL',
  kafka: 'POSTRIDER_TEST_KAFKA_BROKERS',
  redis: 'POSTRIDER_TEST_REDIS_URL',
}

/**
 * Back end that is available on this machine. `noEngine` and `noJars` are the reason why it is not, or null if it is.
 */
export type Available = { given: string | undefined; noEngine: string | null; noJars: string | null }

export type Way = { kind: 'given'; address: string } | { kind: 'container' } | { kind: 'jars' }

/** Returns the ways to get a back end, in the order in which they are tried. A given address excludes all others. */
export const waysTo = ({ given, noEngine, noJars }: Available): Way[] => {
  if (given) return [{ kind: 'given', address: given }]
  const ways: Way[] = []
  if (noEngine === null) ways.push({ kind: 'container' })
  if (noJars === null) ways.push({ kind: 'jars' })
  return ways
}

/** Returns one line for people that explains why a back end is not available. */
export const whyNone = (name: BackendName, { noEngine, noJars }: Available): string =>
  `back end ${name}: none; ${variables[name]} is not set, ${noEngine ?? 'containers fail'}, ${noJars ?? 'jars fail'}`

/** A back end. Disposing of it stops what `findBackend` started. `what` describes it for people. */
export type Found = AsyncDisposable & { address: string; what: string }

const fromJars: Record<BackendName, { start: () => Promise<Instance>; what: string }> = {
  mongodb: { start: startMongo, what: 'stand-in (mongo-java-server 1.47, in memory)' },
  kafka: { start: startKafka, what: 'Kafka 4.1.1 from the jars' },
  redis: { start: startRedis, what: 'Redis 6.2 from the jars' },
}

const open = async (name: BackendName, way: Way): Promise<Found> => {
  if (way.kind === 'given')
    return { address: way.address, what: `given by ${variables[name]}`, [Symbol.asyncDispose]: async () => undefined }
  if (way.kind === 'jars') {
    const { start, what } = fromJars[name]
    const instance = await start()
    return { address: instance.address, what, [Symbol.asyncDispose]: () => instance[Symbol.asyncDispose]() }
  }
  // testcontainers is large, so it is loaded only if a container engine responds.
  const { startContainer } = await import('./containers.ts')
  return startContainer[name]()
}

/**
 * Finds or starts a back end and prints which one. docs/testing.md lists where it searches.
 * @returns null if none is available
 * @throws Error if none is available and `CI` is `true`
 */
export const findBackend = async (name: BackendName): Promise<Found | null> => {
  const given = process.env[variables[name]]
  const available: Available = given
    ? { given, noEngine: null, noJars: null }
    : { given, noEngine: await whyNoEngine(), noJars: await whyNoJars() }
  for (const way of waysTo(available)) {
    try {
      const found = await opened(name, way)
      console.log(`back end ${name}: ${found.what}, ${withoutLogin(found.address)}`)
      return found
    } catch (reason) {
      console.log(`back end ${name}: ${way.kind} failed: ${reason instanceof Error ? reason.message : reason}`)
    }
  }
  console.log(whyNone(name, available))
  if (process.env['CI'] === 'true') throw new Error(whyNone(name, available))
  return null
}

/** Opens a back end. A container's image may have to be downloaded, which takes long. */
const opened = (name: BackendName, way: Way): Promise<Found> => {
  if (way.kind !== 'container') return open(name, way)
  const what = `back end ${name}: starting a container; its image is downloaded once (mongo:8 and apache/kafka: 200 to 400 MB each)`
  return step(what, () => open(name, way), { print: console.log })
}

const withoutLogin = (address: string): string => address.replace(/^\w+:\/\/([^@/]*@)?/, '')
