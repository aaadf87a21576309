import type { ServiceName } from './member.ts'

export const mainOf = (service: ServiceName): string => `services/${service}/main.ts`

const token = 'a-token-of-the-tests-that-is-long-enough'
/** A valid configuration whose addresses are not reachable. */
export const unreachable = {
  POSTRIDER_WIRE_TOKEN: token,
  POSTRIDER_SECRET: token,
  POSTRIDER_PUBLIC_URL: 'http://localhost:8080',
  POSTRIDER_ACCOUNTS: '127.0.0.1:9',
  POSTRIDER_TEMPLATES: '127.0.0.1:9',
  POSTRIDER_QUOTA: '127.0.0.1:9',
  POSTRIDER_INTAKE: '127.0.0.1:9',
  POSTRIDER_DOMAINS: '127.0.0.1:9',
  POSTRIDER_WEBHOOKS: '127.0.0.1:9',
  MONGODB_URL: 'mongodb://127.0.0.1:9',
  KAFKA_BROKERS: '127.0.0.1:9',
  REDIS_URL: 'redis://127.0.0.1:9',
}
