import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Readiness } from '../readiness.ts'
import type { Open } from '../run.ts'
import type { Served } from './perform.ts'
import { type WireConfig, wireSecurity } from './security.ts'
import { serveGrpc } from './serve.ts'
import { tracedCalls } from './traced.ts'

type Given<S> = Served<S> & {
  open: Open
  config: WireConfig & { PORT: number }
  log: Log
  metrics: Metrics
  readiness: Readiness
}

/** Serves a process's service to its peers; they are sent to it while it is ready. */
export const openGrpc = async <S extends object>(given: Given<S>): Promise<void> => {
  const { open, config, log, metrics, readiness, wire, implementation } = given
  const edge = { ...wireSecurity(config), port: config.PORT, log, metrics, ready: readiness.ready, around: tracedCalls }
  open.use(await serveGrpc({ ...edge, services: [{ wire, implementation }] }))
}
