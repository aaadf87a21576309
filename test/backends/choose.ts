export type BackendName = 'mongodb' | 'kafka' | 'redis'

/** What there is to get a back end from; each `no…` says why not, null: it is there. */
export type Situation = { given: string | undefined; noEngine: string | null; noJars: string | null }

export type Way = { kind: 'given'; address: string } | { kind: 'container' } | { kind: 'jars' }

/** The variables that give an address: a MongoDB URL, `host:port` of brokers with commas between, a Redis URL. */
export const variables: Record<BackendName, string> = {
  mongodb: 'POSTRIDER_TEST_MONGODB_URL',
  kafka: 'POSTRIDER_TEST_KAFKA_BROKERS',
  redis: 'POSTRIDER_TEST_REDIS_URL',
}

/** In what order a back end is looked for. Whoever gives an address means that one and no other. */
export const waysTo = ({ given, noEngine, noJars }: Situation): Way[] => {
  if (given) return [{ kind: 'given', address: given }]
  const ways: Way[] = []
  if (noEngine === null) ways.push({ kind: 'container' })
  if (noJars === null) ways.push({ kind: 'jars' })
  return ways
}

/** One line for people: why there is none. */
export const whyNone = (name: BackendName, { noEngine, noJars }: Situation): string =>
  `back end ${name}: none; ${variables[name]} is not set, ${noEngine ?? 'containers fail'}, ${noJars ?? 'jars fail'}`
