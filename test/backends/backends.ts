import process from 'node:process'
import { type Shared, shareVariable } from '../runner/sharedBackends.ts'
import { skip } from '../support/skip.ts'
import { whyNoEngine } from './engine.ts'
import { type BackendName, type Found, findBackend, variables } from './find.ts'
import { whyNoJars } from './jars.ts'

/** The time limit of the first suite: a fresh machine downloads the jars or the image first. */
const startMs = 400_000

// The back ends that this process started. Files share them, because a JVM per file would cost more than the tests.
const started = new Map<BackendName, Promise<Found | null>>()

after(async function stopStarted() {
  for (const shared of started.values()) await (await shared.catch(() => null))?.[Symbol.asyncDispose]()
})

/** Requests a back end from `npm test`, which started this process and shares back ends between its processes. */
const backendOfRun = async (url: string, name: BackendName): Promise<string | null> => {
  const shared = (await (await fetch(`${url}/${name}`)).json()) as Shared
  if ('fault' in shared) throw new Error(shared.fault)
  return shared.address
}

/**
 * Returns the address of a back end that all suites of a run share, or null if it is not available. The first suite
 * that needs it starts it. docs/testing.md lists where it searches.
 * @throws Error if it is not available and `CI` is `true`
 */
export const sharedBackend = async (name: BackendName): Promise<string | null> => {
  const ofRun = process.env[shareVariable]
  if (ofRun) return backendOfRun(ofRun, name)
  let shared = started.get(name)
  if (shared === undefined) {
    shared = findBackend(name)
    started.set(name, shared)
  }
  return (await shared)?.address ?? null
}

/** Returns the addresses of the three back ends of a cluster, or null if one of them is not available. */
export const clusterBackends = async (): Promise<Record<BackendName, string> | null> => {
  const [mongodb, kafka, redis] = await Promise.all([
    sharedBackend('mongodb'),
    sharedBackend('kafka'),
    sharedBackend('redis'),
  ])
  return mongodb !== null && kafka !== null && redis !== null ? { mongodb, kafka, redis } : null
}

/** The reason with which suites that need a whole cluster are skipped. */
export const whyNoCluster = 'MongoDB, Kafka or Redis is not available here'

/**
 * Provides the address of a back end to the tests of the `describe` that calls it, or skips them if it is not
 * available.
 */
export const useBackend = (name: BackendName): (() => string) => {
  let address: string | null = null
  before(async function startShared() {
    this.timeout(startMs)
    address = await sharedBackend(name)
    if (address === null) skip(this, `${name} is not available here: set ${variables[name]}, or install Java and Maven`)
  })
  return () => {
    if (address === null) throw new Error(`the address of ${name} is only known while tests run`)
    return address
  }
}

/**
 * Skips the `describe` that calls it, whose tests start their own back ends (`startMongo`, …), if there are no jars.
 * With `CI=true` that is a failure unless a container engine provides the back ends of all other tests.
 */
export const needsOwnBackends = (): void => {
  before(async function skipWithoutJars() {
    this.timeout(startMs)
    const why = await whyNoJars()
    if (why === null) return
    if (process.env['CI'] === 'true' && (await whyNoEngine()) !== null) throw new Error(why)
    skip(this, `these tests start their own back ends, which need the jars: ${why}`)
  })
}
