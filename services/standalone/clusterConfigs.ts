import { Config as accounts } from '@postrider/accounts/config.ts'
import { Config as dispatcher } from '@postrider/dispatcher/config.ts'
import { Config as gateway } from '@postrider/gateway/config.ts'
import { Config as intake } from '@postrider/intake/config.ts'
import { Config as quota } from '@postrider/quota/config.ts'
import { Config as templates } from '@postrider/templates/config.ts'

/** The environment of each service of a cluster, for the documentation, the chart and the tests. */
export const clusterConfigs = { gateway, accounts, templates, quota, intake, dispatcher } as const
