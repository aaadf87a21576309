import { layersOf } from '@postrider/kit/origin.ts'

/** Answers by which Kafka tells that it knows us not, or that we may not: nothing that passes by itself. */
const types = new Set([
  'SASL_AUTHENTICATION_FAILED',
  'UNSUPPORTED_SASL_MECHANISM',
  'ILLEGAL_SASL_STATE',
  'TOPIC_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
])

const isRefusal = (thrown: Error): boolean =>
  thrown.name === 'KafkaJSSASLAuthenticationError' || ('type' in thrown && types.has(String(thrown.type)))

/** @returns where Kafka said that login or rights are wrong; null: it is away, or something else is */
export const refusalIn = (thrown: unknown): Error | null => layersOf(thrown).find(isRefusal) ?? null
