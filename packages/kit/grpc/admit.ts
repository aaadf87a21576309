import { type Metadata, ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js'
import type { CallHandlerOptions } from './callHandler.ts'
import type { StreamOf } from './callStream.ts'
import type { Connections } from './connections.ts'
import { healthPath } from './health.ts'
import type { Callers, Identify } from './identify.ts'
import type { LongMessages } from './longMessages.ts'
import { failureOf } from './outcome.ts'

/** Metadata that passes the callers of a call from the server to its handler; a client's value is removed. */
const callersKey = 'postrider-callers'

/** Returns the callers that `admit` found. */
export const callersOf = (metadata: Metadata): Callers => String(metadata.get(callersKey)[0] ?? '')

/** Characters of a caller's name for itself that are logged. */
export const maxAgentLength = 80

/** Maximum size of a request of a probe without a token, in bytes: a frame with the name of a service. */
const probeBytes = 1_024

export type AdmitOptions = {
  identify: Identify
  connections: Connections
  /** The certificate identifies the caller: then it is read once per connection, and health probes need a known one. */
  byCertificate: boolean
  metrics: CallHandlerOptions['metrics']
  /** Makes long messages wait for memory; null: nothing bounds them together. */
  long: Pick<LongMessages, 'watch'> | null
  streamOf: StreamOf
  /** Logs a refusal. */
  onRefused: OnRefused
}

/**
 * @param address remote end of the connection; with its port, unless the address itself was refused
 * @param agent what the caller calls itself, which it chooses
 */
export type OnRefused = (refusal: { reason: string; details: string; address: string; agent: string }) => void

type Call = Parameters<ServerInterceptor>[1]
type Refusal = { code: status; details: string; reason: 'caller' | 'health' }

const wrongToken: Refusal = { code: status.UNAUTHENTICATED, details: 'missing or wrong token', reason: 'caller' }
const wrongName: Refusal = { code: status.UNAUTHENTICATED, details: 'no caller has this certificate', reason: 'caller' }
const tooManyProbes: Refusal = { code: status.RESOURCE_EXHAUSTED, details: 'too many probes', reason: 'health' }
const longProbe: Refusal = { code: status.RESOURCE_EXHAUSTED, details: 'the probe is too long', reason: 'health' }

/**
 * Rejects a call of an unknown caller before its message is read. Health probes may omit the token, and are limited
 * then; with a wrong token they fail, so that the probe reports it to the client.
 */
export const admit = ({
  identify,
  connections,
  byCertificate,
  metrics,
  long,
  streamOf,
  onRefused,
}: AdmitOptions): ServerInterceptor => {
  const identifiedBy = (call: Call, metadata: Metadata): Callers | null => {
    const [authorization] = metadata.get('authorization')
    const proof = { authorization, certificate: () => call.getAuthContext().sslPeerCertificate }
    const connection = byCertificate ? connections.of(call.getPeer()) : null
    if (connection === null) return identify(proof)
    if (connection.callers === undefined) connection.callers = identify(proof)
    return connection.callers
  }

  /** Returns the refusal of a probe without a token, or null. */
  const refusalOfProbe = (call: Call): Refusal | null => {
    const ended = connections.of(call.getPeer())?.probe()
    if (ended == null) return tooManyProbes
    const stream = streamOf(call)
    if (stream) stream.once('close', ended)
    else ended()
    return null
  }

  /** Ends a call without reading more of it. */
  const endCall = (call: Call, answer: Parameters<Call['sendStatus']>[0]): void => {
    call.sendStatus(answer)
    // The response ends only this side: a client that does not end its own would keep the stream open.
    streamOf(call)?.close()
  }

  return ({ path }, call) => {
    const end = callEnd()
    let agent = ''
    const refuse = ({ code, details, reason }: Refusal): void => {
      metrics.grpcDenied.inc({ reason })
      onRefused({ reason, details, address: call.getPeer(), agent })
      const isLast = connections.of(call.getPeer())?.countRefused() ?? false
      endCall(call, { code, details })
      // The session ends immediately, and with it the calls that arrived with this one. Closing its socket would let
      // them run.
      if (isLast) streamOf(call)?.session?.destroy()
    }
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, proceed) => {
            metadata.remove(callersKey)
            const callers = identifiedBy(call, metadata)
            if (callers !== null) {
              connections.trust(() => call.getPeer())
              metadata.set(callersKey, callers)
              const stream = streamOf(call)
              if (long !== null && stream)
                long.watch({ path, stream, metadata, ...end, refuse: (outcome) => endCall(call, failureOf(outcome)) })
              proceed(metadata)
              return
            }
            agent = String(metadata.get('user-agent')[0] ?? '').slice(0, maxAgentLength)
            const connection = connections.of(call.getPeer())
            if (connection) connection.hasCall = true
            const isProbe = !byCertificate && path.startsWith(healthPath) && metadata.get('authorization').length === 0
            const refusal = isProbe ? refusalOfProbe(call) : byCertificate ? wrongName : wrongToken
            if (refusal !== null) {
              refuse(refusal)
              return
            }
            limitBytes(streamOf(call), () => refuse(longProbe))
            proceed(metadata)
          },
          onCancel: end.reached,
        }),
    })
  }
}

/** The end of a call, however it comes: the library reports each as canceled. */
const callEnd = () => {
  let isEnded = false
  let listener = (): void => {}
  return {
    isEnded: () => isEnded,
    onEnd: (next: () => void): void => {
      listener = next
    },
    reached: (): void => {
      isEnded = true
      listener()
    },
  }
}

/**
 * Calls back when a request is longer than that of a probe. The limit of the library applies to all methods of a
 * server, and is that of an email.
 */
const limitBytes = (stream: ReturnType<StreamOf>, onExceeded: () => void): void => {
  let received = 0
  const count = (chunk: Buffer): void => {
    received += chunk.length
    if (received <= probeBytes) return
    stream?.off('data', count)
    onExceeded()
  }
  // The library reads with a listener of its own; a paused stream stays paused.
  stream?.prependListener('data', count)
}
