import type { Board } from './board.ts'
import { delivery } from './delivery.ts'
import { overview } from './overview.ts'
import { refusals } from './refusals.ts'
import { service } from './service.ts'

/** All dashboards by file name in the chart. */
export const boards: Readonly<Record<string, Board>> = { overview, service, delivery, refusals }
