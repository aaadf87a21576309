/** Answers by which Kafka tells that it knows us not, or that we may not: nothing that passes by itself. */
const types = new Set([
  'SASL_AUTHENTICATION_FAILED',
  'UNSUPPORTED_SASL_MECHANISM',
  'ILLEGAL_SASL_STATE',
  'TOPIC_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
])

/** The error with what the client wrapped in it, outermost first. */
const within = (thrown: unknown): Error[] => {
  if (!(thrown instanceof Error)) return []
  const more = 'errors' in thrown && Array.isArray(thrown.errors) ? thrown.errors : []
  return [thrown, ...[thrown.cause, ...more].flatMap(within)]
}

const isRefusal = (thrown: Error): boolean =>
  thrown.name === 'KafkaJSSASLAuthenticationError' || ('type' in thrown && types.has(String(thrown.type)))

/** @returns where Kafka said that login or rights are wrong; null: it is away, or something else is */
export const refusalIn = (thrown: unknown): Error | null => within(thrown).find(isRefusal) ?? null

/** @returns what it came from: the client's own errors around it only say that it tried */
export const originOf = (thrown: unknown): unknown => within(thrown).at(-1) ?? thrown
