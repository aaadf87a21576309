import { Config as Accounts } from '@postrider/accounts/config.ts'
import { Config as Dispatcher } from '@postrider/dispatcher/config.ts'
import { Config as Domains } from '@postrider/domains/config.ts'
import { Config as Gateway } from '@postrider/gateway/config.ts'
import { Config as Intake } from '@postrider/intake/config.ts'
import * as settings from '@postrider/kit/settings.ts'
import { Config as Quota } from '@postrider/quota/config.ts'
import { Config as Templates } from '@postrider/templates/config.ts'
import { Config as Webhooks } from '@postrider/webhooks/config.ts'
import { z } from 'zod'

const [gateway, intake] = [Gateway.shape, Intake.shape]

/**
 * Environment variables of standalone: those of the services except their connections. An empty variable counts as
 * unset.
 */
export const Config = z
  .object({
    PORT: gateway.PORT,
    ...settings.listenHost,
    POSTRIDER_DATA: z
      .string()
      .default('./data')
      .describe('Directory of the database and the secret; it is created if missing.'),
    POSTRIDER_ROUTE: Dispatcher.shape.POSTRIDER_ROUTE,
    POSTRIDER_CONNECTIONS: Dispatcher.shape.POSTRIDER_CONNECTIONS,
    POSTRIDER_PUBLIC_URL: gateway.POSTRIDER_PUBLIC_URL.optional().describe(
      'URL under which users reach this service; used in links. Unset: http://localhost with the port, and requests for any other host are refused.',
    ),
    POSTRIDER_SENDER: gateway.POSTRIDER_SENDER,
    POSTRIDER_OPERATOR_TOKEN: gateway.POSTRIDER_OPERATOR_TOKEN.describe(
      'Bearer token of the operator API, at least 16 characters; unset: created once and stored in the data directory as operator-token, mode 0600.',
    ),
    POSTRIDER_SECRET: settings.masterSecret.POSTRIDER_SECRET.optional().describe(
      'Master key of signatures and of the encryption of DKIM keys, of the secrets of second factors and of the signing secrets of webhooks, at least 32 characters; unset: created once and stored in the data directory, mode 0600. While it is changed: the new one and the old one, separated by a comma; the first encrypts, both decrypt, as does the one in the data directory.',
    ),
    POSTRIDER_TRUSTED_PROXIES: gateway.POSTRIDER_TRUSTED_PROXIES,
    POSTRIDER_REFUSED_HEADERS: gateway.POSTRIDER_REFUSED_HEADERS,
    POSTRIDER_SIGNUP: Accounts.shape.POSTRIDER_SIGNUP,
    POSTRIDER_DEFAULT_PLAN: Accounts.shape.POSTRIDER_DEFAULT_PLAN,
    ...settings.payments,
    POSTRIDER_MAX_QUEUED: intake.POSTRIDER_MAX_QUEUED,
    POSTRIDER_MAX_SCHEDULED: intake.POSTRIDER_MAX_SCHEDULED,
    POSTRIDER_MAX_TEST_QUEUED: intake.POSTRIDER_MAX_TEST_QUEUED,
    POSTRIDER_MAX_TEST_QUEUED_MIB: intake.POSTRIDER_MAX_TEST_QUEUED_MIB,
    POSTRIDER_MAX_TEMPLATES: Templates.shape.POSTRIDER_MAX_TEMPLATES,
    POSTRIDER_MAX_TEMPLATE_VERSIONS: Templates.shape.POSTRIDER_MAX_TEMPLATE_VERSIONS,
    ...settings.dns,
    POSTRIDER_BOUNCE_DOMAIN: Domains.shape.POSTRIDER_BOUNCE_DOMAIN,
    POSTRIDER_MAX_DOMAINS: Domains.shape.POSTRIDER_MAX_DOMAINS,
    POSTRIDER_DKIM_ROTATION_DAYS: Domains.shape.POSTRIDER_DKIM_ROTATION_DAYS,
    POSTRIDER_MAX_WEBHOOKS: Webhooks.shape.POSTRIDER_MAX_WEBHOOKS,
    POSTRIDER_WEBHOOK_ALLOW: Webhooks.shape.POSTRIDER_WEBHOOK_ALLOW,
    POSTRIDER_WEBHOOK_PORTS: Webhooks.shape.POSTRIDER_WEBHOOK_PORTS,
    POSTRIDER_WEBHOOK_REQUESTS: Webhooks.shape.POSTRIDER_WEBHOOK_REQUESTS,
    POSTRIDER_MAX_BODY_MIB: gateway.POSTRIDER_MAX_BODY_MIB,
    POSTRIDER_MAX_BATCH_BODY_MIB: gateway.POSTRIDER_MAX_BATCH_BODY_MIB,
    POSTRIDER_MAX_CLIENT_CONNECTIONS: gateway.POSTRIDER_MAX_CLIENT_CONNECTIONS,
    POSTRIDER_MAX_CLIENT_CONNECTIONS_PER_ADDRESS: gateway.POSTRIDER_MAX_CLIENT_CONNECTIONS_PER_ADDRESS,
    POSTRIDER_MAX_MESSAGE_MIB: intake.POSTRIDER_MAX_MESSAGE_MIB,
    POSTRIDER_IDEMPOTENCY_HOURS: intake.POSTRIDER_IDEMPOTENCY_HOURS,
    ...settings.retention,
    POSTRIDER_SEND_RATE: gateway.POSTRIDER_SEND_RATE,
    POSTRIDER_READ_RATE: gateway.POSTRIDER_READ_RATE,
    POSTRIDER_WRITE_RATE: gateway.POSTRIDER_WRITE_RATE,
    POSTRIDER_WORKSPACE_RATE: gateway.POSTRIDER_WORKSPACE_RATE,
    METRICS_PORT: settings.optionalPort.describe(
      'Port of /metrics; unset: /metrics on PORT, for loopback clients only; 0 picks a free port and prints it.',
    ),
    LOG_LEVEL: settings.logLevel,
  })
  .superRefine(settings.bothStripeSecrets, settings.always)

export type Config = z.output<typeof Config>

/** The environment variables of each service of a cluster, for docs, chart and tests. */
export const clusterConfigs = {
  gateway: Gateway,
  accounts: Accounts,
  templates: Templates,
  quota: Quota,
  domains: Domains,
  webhooks: Webhooks,
  intake: Intake,
  dispatcher: Dispatcher,
} as const
