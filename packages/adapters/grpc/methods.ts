import { status } from '@grpc/grpc-js'
import type { MethodRules, ServiceSpec } from '@postrider/contracts/services.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { currentDeadline } from '@postrider/kit/deadline.ts'
import { type GrpcMethod, methodsOf } from '@postrider/kit/grpc/definition.ts'
import { ownerHeader, shortMessageBytes } from '@postrider/kit/grpc/longMessages.ts'
import { callSpan } from '@postrider/kit/grpc/tracing.ts'
import { type MetricRegistry, metricsIn, requestBuckets } from '@postrider/kit/metrics.ts'
import { backoffs, retry } from '@postrider/kit/retry.ts'
import { inSpan } from '@postrider/kit/trace.ts'
import { type CallResponse, errorOf, noResponse, notReceived, type SendCall } from './call.ts'

export type Functions<S> = { [Method in keyof S]: (request: never, signal?: AbortSignal) => Promise<object> }

type Rules = MethodRules<unknown>
type Request = Record<string, unknown>
type ClientMethod = (request: Request, signal?: AbortSignal) => Promise<object>

/** Declares the metrics of calls to other services. */
export const grpcClientMetrics = (registry: MetricRegistry) => ({
  grpcClientDuration: metricsIn(registry).histogram({
    name: 'postrider_grpc_client_duration_seconds',
    help: 'Time until the response of another service, retries included, by gRPC status',
    labels: ['service', 'method', 'code'],
    buckets: requestBuckets,
  }),
})

export type RetriesOptions = { send: SendCall; now: Clock; random(): number; pause(ms: number): Promise<unknown> }

/**
 * Returns `send` with retries until the deadline of the call. gRPC's own retries do not fit: the calls of a batch have
 * different rules, and some are repeatable because of a field in the request.
 */
export const withRetries = ({ send, now, random, pause }: RetriesOptions) => {
  const retryIf =
    (mayRetry: (response: CallResponse) => boolean): SendCall =>
    (call) => {
      let mayHaveRun = false
      const sendNext = async (): Promise<CallResponse> => {
        if (mayHaveRun) {
          const message = call.repeatMessage?.() ?? call.message
          return { ...(await send({ ...call, message })), isRepeat: true }
        }
        const response = await send(call)
        mayHaveRun = !notReceived(response)
        return response
      }
      return retry(sendNext, {
        backoff: backoffs.call,
        shouldRetry: (ended, { failures, waitMs }) =>
          'value' in ended &&
          mayRetry(ended.value) &&
          !call.signal?.aborted &&
          failures <= backoffs.call.delaysMs.length &&
          now() + waitMs < call.deadlineAt,
        random,
        pause,
      })
    }
  return {
    /** Sends a repeatable call. */
    sendRepeatable: retryIf(noResponse),
    /**
     * Sends a call that must not run twice. While a service's only replica restarts, or a connection reaches its age,
     * its calls wait for the next one.
     */
    sendOnce: retryIf(notReceived),
  }
}

export type ClientMethodsOptions<S> = ReturnType<typeof withRetries> & {
  spec: ServiceSpec<S>
  metrics: ReturnType<typeof grpcClientMetrics> | null
  /** Returns metadata for the next call. */
  headers(): Record<string, string>
  now: Clock
}

/** Returns the functions of a service. Each makes a call. */
export const clientMethods = <S extends Functions<S>>(options: ClientMethodsOptions<S>): S => {
  const { spec, sendRepeatable, sendOnce, metrics, headers, now } = options

  const observed = async (method: string, responding: Promise<CallResponse>): Promise<CallResponse> => {
    const startedAt = performance.now()
    const response = await responding
    const labels = { service: spec.name, method, code: status[response.code] ?? 'UNKNOWN' }
    metrics?.grpcClientDuration.observe(labels, (performance.now() - startedAt) / 1_000)
    return response
  }

  const clientMethod = (
    { name, path, request: codec, reply }: GrpcMethod,
    { deadlineMs, repeatable, repeatField, formerMethod, hasLongReply = false }: Rules,
  ): ClientMethod => {
    const span = callSpan(path.slice(1), 'client')
    return (request, signal) =>
      inSpan(span, async (active) => {
        const send = isRepeatable(repeatable, request) ? sendRepeatable : sendOnce
        const message = codec.encode(request)
        const isLongMessage = message.length > shortMessageBytes
        let isRepeated = false
        const repeatMessage = (field: string): Buffer => {
          isRepeated = true
          return codec.encode({ ...request, [field]: true })
        }
        const call = {
          path,
          message,
          ...(repeatField && { repeatMessage: () => repeatMessage(repeatField) }),
          deadlineAt: Math.min(now() + deadlineMs, currentDeadline()),
          isLong: isLongMessage || hasLongReply,
          headers: isLongMessage ? { ...headers(), ...ownerOf(request) } : headers(),
          signal,
        }
        const response = await observed(name, send(call))
        active.setAttribute('rpc.status_code', status[response.code] ?? 'UNKNOWN')
        if (response.code === status.OK) return reply.decode(response.body)
        const former = response.code === status.UNIMPLEMENTED && formerMethod ? methods.get(formerMethod) : undefined
        if (former === undefined) throw errorOf(path, response)
        // The former method would not detect the effect of the first call.
        if (isRepeated) throw errorOf(path, { ...response, code: status.UNAVAILABLE })
        return former(request, signal)
      })
  }

  const rules = spec.methods as Record<string, Rules>
  const methods = new Map(
    methodsOf(spec).map((method) => {
      const ruled = rules[method.name]
      if (!ruled) throw new Error(`${method.path} has no rules`)
      return [method.name, clientMethod(method, ruled)]
    }),
  )
  return Object.fromEntries<unknown>(methods) as S
}

/** Returns the metadata that a server uses to share its memory for long messages among workspaces. */
const ownerOf = ({ caller, workspace }: Request): Record<string, string> => {
  const owner = (caller as { workspace?: unknown } | undefined)?.workspace ?? workspace
  return typeof owner === 'string' ? { [ownerHeader]: owner } : {}
}

const isRepeatable = (repeatable: Rules['repeatable'], request: Request): boolean =>
  typeof repeatable === 'string' ? Boolean(request[repeatable]) : repeatable
