import * as settings from '@postrider/contracts/settings.ts'
import { z } from 'zod'

/** Everything the one process reads from its environment. An empty variable counts as unset. */
export const Config = z.object({
  PORT: settings.port(8080).describe('Port of API, docs and dashboard; 0 takes a free one and prints it.'),
  POSTRIDER_DATA: z.string().default('./data').describe('Directory of the database and the secret; made if missing.'),
  POSTRIDER_ROUTE: settings.route.describe(settings.says.route),
  POSTRIDER_CONNECTIONS: settings.count('connections', 20).describe(settings.says.connections),
  POSTRIDER_PUBLIC_URL: settings.publicUrl.optional().describe(settings.says.publicUrl),
  POSTRIDER_SENDER: settings.sender.describe(settings.says.sender),
  POSTRIDER_OPERATOR_TOKEN: settings.secret(16).optional().describe(settings.says.operatorToken),
  POSTRIDER_SECRET: settings
    .secret(32)
    .optional()
    .describe(
      'Master key for what is signed or encrypted; unset: made once and kept in the data directory, mode 0600.',
    ),
  POSTRIDER_TRUSTED_PROXIES: settings.networks.describe(settings.says.trustedProxies),
  POSTRIDER_SIGNUP: settings.signup.describe(settings.says.signup),
  POSTRIDER_MAX_QUEUED: settings.count('emails', 1_000_000).describe(settings.says.maxQueued),
  POSTRIDER_MAX_BODY_MIB: settings.mebibytes(15, 50).describe(settings.says.maxBody),
  POSTRIDER_MAX_MESSAGE_MIB: settings.mebibytes(10, 40).describe(settings.says.maxMessage),
  POSTRIDER_IDEMPOTENCY_HOURS: settings.hours(24, 720).describe(settings.says.idempotency),
  ...settings.rates,
  METRICS_PORT: settings.optionalPort.describe(
    'Port of /metrics for anybody; unset: /metrics on PORT for loopback clients alone; 0: a free port, printed.',
  ),
  LOG_LEVEL: settings.logLevel,
})

export type Config = z.output<typeof Config>
