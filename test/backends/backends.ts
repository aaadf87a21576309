import process from 'node:process'

export type BackendName = 'mongodb' | 'kafka' | 'redis'

const given: Record<BackendName, string | undefined> = {
  mongodb: process.env['POSTRIDER_TEST_MONGODB_URL'],
  kafka: process.env['POSTRIDER_TEST_KAFKA_BROKERS'],
  redis: process.env['POSTRIDER_TEST_REDIS_URL'],
}

/** Address of a back end that all suites of this run share; null: it can't be had here. */
const sharedBackend = async (name: BackendName): Promise<string | null> => given[name] ?? null

/** To be called in a `describe`: tells its tests where a back end is; they are skipped where it can't be had. */
export const useBackend = (name: BackendName): (() => string) => {
  let address: string | null = null
  before(async function startShared() {
    this.timeout(120_000)
    address = await sharedBackend(name)
    if (address === null) this.skip()
  })
  return () => {
    if (address === null) throw new Error(`${name} is there inside of tests only`)
    return address
  }
}
