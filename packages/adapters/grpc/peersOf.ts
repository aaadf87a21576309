import type { Wire } from '@postrider/contracts/wire.ts'
import type { WireSecurity } from '@postrider/kit/grpc/security.ts'
import { traceHeaders } from '@postrider/kit/grpc/traced.ts'
import type { Metrics } from '@postrider/kit/metrics.ts'
import type { Readiness } from '@postrider/kit/readiness.ts'
import type { Open } from '@postrider/kit/run.ts'
import { grpcClient } from './client.ts'

type Given = {
  open: Open
  /** Of the calling process. */
  name: string
  security: WireSecurity
  metrics: Metrics
  readiness: Readiness
}

type Functions<S> = { [Method in keyof S]: (request: never) => Promise<object> }

/** Opens the services a process asks; it is ready once each of them was. */
export const peersOf =
  ({ open, name, security, metrics, readiness }: Given) =>
  <S extends Functions<S>>(wire: Wire<S>, address: string): S => {
    const client = open.use(grpcClient({ wire, address, ...security, name, metrics, headers: traceHeaders }))
    readiness.needsToStart(wire.name, client.ready)
    return client.service
  }
