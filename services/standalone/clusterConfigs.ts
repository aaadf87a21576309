import { Config as accounts } from '@postrider/accounts/config.ts'
import { Config as dispatcher } from '@postrider/dispatcher/config.ts'
import { Config as domains } from '@postrider/domains/config.ts'
import { Config as gateway } from '@postrider/gateway/config.ts'
import { Config as intake } from '@postrider/intake/config.ts'
import { Config as quota } from '@postrider/quota/config.ts'
import { Config as templates } from '@postrider/templates/config.ts'
import { Config as webhooks } from '@postrider/webhooks/config.ts'

/** The environment variables of each service of a cluster, for docs, chart and tests. */
export const clusterConfigs = {
  gateway,
  accounts,
  templates,
  quota,
  domains,
  webhooks,
  intake,
  dispatcher,
} as const
