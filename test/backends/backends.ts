import process from 'node:process'
import { whyNoEngine } from './engine.ts'
import { type BackendName, type Found, findBackend } from './find.ts'
import { whyNoJars } from './jars.ts'

export type { BackendName }

/** How long the first suite may wait: a fresh machine fetches the jars or the image first. */
const startMs = 400_000

// What all files of this run share: a JVM a file would cost more than the tests do.
const started = new Map<BackendName, Promise<Found | null>>()

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
    shared = findBackend(name)
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

/**
 * To be called in a `describe` whose tests start back ends of their own (`startMongo`, …): skipped where there are no
 * jars. With `CI=true` that is a failure, except where a container engine gives all other tests their back ends.
 */
export const needsOwnBackends = (): void => {
  before(async function skipWithoutJars() {
    this.timeout(startMs)
    const why = await whyNoJars()
    if (why === null) return
    console.log(`back ends of a suite's own: none; ${why}`)
    if (process.env['CI'] === 'true' && (await whyNoEngine()) !== null) throw new Error(why)
    this.skip()
  })
}
