import type { ServiceSpec } from '@postrider/contracts/services.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { asFault } from '@postrider/kit/fault.ts'
import { bearer, type PeerSecurity, type PeerSecurityConfig, peerSecurity } from '@postrider/kit/grpc/credentials.ts'
import { traceHeaders } from '@postrider/kit/grpc/tracing.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { ProcessParts } from '@postrider/kit/openProcess.ts'
import { pause } from '@postrider/kit/pause.ts'
import { sendUnary } from './call.ts'
import { type OpenChannelsOptions, openChannels } from './channels.ts'
import { peerCheck } from './checkPeer.ts'
import { type ClientMethodsOptions, clientMethods, type Functions, grpcClientMetrics, withRetries } from './methods.ts'
import { sendBatched } from './sendBatched.ts'

/*
 * The gRPC client of a service, from the function that is called to the socket: methods.ts (encode, deadline, retries,
 * metrics), sendBatched.ts (calls of one event loop iteration are sent together), call.ts (a single call, and what a
 * response means), channels.ts (connections to the replicas; long calls have their own). checkPeer.ts checks a service
 * for the readiness. The server is kit/grpc/serve.ts.
 *
 * The other files convert messages in both directions. One for each service: accounts, intake, quota, templates,
 * domains, webhooks. Of their parts: callers, requester, overrides, bills, times (fields with a time), intakeMail (what
 * is sent), intakeReads, intakeMailbox.
 */

export type OpenPeersOptions = ProcessParts & { config: PeerSecurityConfig }

/**
 * Returns a function that opens a service which the process calls. The process is ready once each of them was, and not
 * while one of them refuses it. An optional service is not waited for: the process works without it.
 */
export const openPeers = ({ open, name, config, metrics, readiness, log }: OpenPeersOptions) => {
  const shared = {
    ...peerSecurity(config, name),
    name,
    metrics: grpcClientMetrics(metrics.registry),
    headers: traceHeaders,
  }
  return <S extends Functions<S>>(spec: ServiceSpec<S>, address: string, { isOptional = false } = {}): S => {
    const client = open.use(grpcClient({ spec, address, ...shared }))
    if (!isOptional) readiness.needsToStart(spec.name, loggedCheck(client, { peer: spec.name, log }))
    return client.service
  }
}

export type GrpcClientOptions<S> = Pick<PeerSecurity, 'token' | 'tls'> &
  Pick<OpenChannelsOptions, 'address' | 'name'> &
  Partial<Pick<ClientMethodsOptions<S>, 'metrics' | 'headers'>> & {
    spec: ServiceSpec<S>
    /** Sends the calls of one event loop iteration together; default true. */
    batch?: boolean
    now?: Clock
    random?(): number
  }

export type GrpcClient<S> = AsyncDisposable & {
  service: S
  /** Returns whether one of its replicas is serving and accepts the token. */
  ready(): Promise<boolean>
  /** Does the same, and throws the reason. @throws Fault `forbidden`: it refuses this process; `unavailable` */
  check(): Promise<void>
}

/** Logs why a peer is not ready when the reason changes. At a start peers are absent for a time. */
const loggedCheck = ({ check }: Pick<GrpcClient<unknown>, 'check'>, { peer, log }: { peer: string; log: Log }) => {
  let logged = ''
  return async (): Promise<void> => {
    try {
      await check()
      logged = ''
    } catch (thrown) {
      const { code, message } = asFault(thrown)
      if (message !== logged)
        log[code === 'forbidden' ? 'warn' : 'info']({ peer, reason: message }, 'peer is not ready')
      logged = message
      throw thrown
    }
  }
}

const probeMs = 800

/**
 * Returns a service of another process with the type it has in its own. Its faults arrive as it threw them. When it
 * does not respond in time, that is a Fault `unavailable`, and the call may have been executed.
 */
export const grpcClient = <S extends Functions<S>>(options: GrpcClientOptions<S>): GrpcClient<S> => {
  const { spec, address, token, tls, name, batch = true, now = Date.now, random = Math.random } = options
  const { metrics = null, headers = () => ({}) } = options
  const target = { address, tls, name, messageBytes: spec.messageBytes }
  const short = openChannels(target)
  // On one connection a short call waits while parts of long messages are sent, and for the window that they share.
  const long = openChannels({ ...target, isSeparate: true })
  const authorization = bearer(token)
  const sendAlone = sendUnary(({ isLong }) => (isLong ? long : short).next(), authorization)
  const send = batch ? sendBatched({ client: short.next, authorization, sendAlone, now }) : sendAlone
  const retries = withRetries({ send, now, random, pause: (ms) => pause(ms) })
  const check = peerCheck({ client: short.next, spec, name, authorization, timeoutMs: probeMs })
  return {
    service: clientMethods({ spec, ...retries, metrics, headers, now }),
    ready: () =>
      check().then(
        () => true,
        () => false,
      ),
    check,
    [Symbol.asyncDispose]: async () => {
      short[Symbol.dispose]()
      long[Symbol.dispose]()
    },
  }
}
