import { setTimeout as pause } from 'node:timers/promises'
import type { Client, Metadata } from '@grpc/grpc-js'
import type { Wire } from '@postrider/contracts/wire.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { bearer, type WireTls } from '@postrider/kit/grpc/credentials.ts'
import { askHealth } from '@postrider/kit/grpc/health.ts'
import type { Metrics } from '@postrider/kit/metrics.ts'
import { callers, type Functions } from './callers.ts'
import { openChannel } from './channel.ts'
import { askGathered } from './gathered.ts'
import { neverLeft, nobodyAnswered, repeating } from './repeating.ts'
import { askUnary, metadataOf } from './unary.ts'

type Given<S> = {
  wire: Wire<S>
  /** Where it is: `host:port` that stands for all its replicas, or each of them, comma-separated. */
  address: string
  /** Shared by all services. */
  token: string
  tls?: WireTls
  /** Of the calling process. */
  name: string
  metrics?: Pick<Metrics, 'grpcClientDuration'>
  /** Whether the calls of one event-loop turn travel together. */
  gather?: boolean
  /** What every call carries beside its message, such as its trace; asked for each. */
  headers?(): Record<string, string>
  now?: Clock
  random?(): number
}

export type GrpcClient<S> = AsyncDisposable & {
  service: S
  /** Whether one of its replicas says that it serves, and takes our token. */
  ready(): Promise<boolean>
}

const probeMs = 800

/**
 * A service of another process, with the very type it has in this one. Its faults arrive as it threw them; where nobody
 * answers in time that is a Fault `unavailable`, and what was asked may have been done.
 */
export const grpcClient = <S extends Functions<S>>(given: Given<S>): GrpcClient<S> => {
  const { wire, address, token, name, gather = true, now = Date.now, random = Math.random } = given
  const client = openChannel({ address, tls: given.tls ?? null, name, messageBytes: wire.messageBytes })
  const authorization = bearer(token)
  const alone = askUnary(client, authorization)
  const ask = gather ? askGathered({ client, authorization, alone, now }) : alone
  const timing = { now, random, pause: (ms: number) => pause(ms) }
  // While the one replica it knows restarts, a caller finds the next only after a moment: what never left may wait for it.
  const once = repeating({ ask, after: neverLeft, ...timing })
  const again = repeating({ ask, after: nobodyAnswered, ...timing })
  const service = callers({
    wire,
    asks: { once, again },
    metrics: given.metrics ?? null,
    headers: given.headers ?? (() => ({})),
    now,
  })
  return {
    service,
    ready: () => anyServes(client, wire.name, metadataOf(authorization)),
    [Symbol.asyncDispose]: async () => client.close(),
  }
}

/** One replica may be stopping, so the next is asked before it counts. */
const anyServes = async (client: Client, name: string, metadata: Metadata): Promise<boolean> =>
  (await askHealth(client, name, probeMs, metadata)) || askHealth(client, name, probeMs, metadata)
