import { billing } from './billing.ts'
import type { Board } from './board.ts'
import { delivery } from './delivery.ts'
import { domains } from './domains.ts'
import { overview } from './overview.ts'
import { refusals } from './refusals.ts'
import { retention } from './retention.ts'
import { service } from './service.ts'
import { webhooks } from './webhooks.ts'

/** All dashboards by file name in the chart. */
export const boards: Readonly<Record<string, Board>> = {
  overview,
  service,
  delivery,
  refusals,
  domains,
  billing,
  retention,
  webhooks,
}
