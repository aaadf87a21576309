import type { Http2Stream } from 'node:http2'
import type { ServerInterceptingCallInterface } from '@grpc/grpc-js'
import type { Log } from '../log.ts'
import { misfitLog } from '../misfitLog.ts'

/** Returns the stream of a call; undefined: this version of grpc-js has none. */
export type StreamOf = (call: ServerInterceptingCallInterface) => Http2Stream | undefined

/** What admit.ts and longMessages.ts call. */
const neededMethods = ['once', 'off', 'prependListener', 'pause', 'resume', 'close'] as const

/** Returns why the member is not the stream of a call, or null. */
const misfitOf = (stream: unknown): string | null => {
  if (stream === undefined) return 'a call has no member stream'
  const members = Object(stream) as Record<string, unknown>
  const missing = neededMethods.filter((name) => typeof members[name] !== 'function')
  return missing.length === 0 ? null : `the stream of a call has no ${missing.join(', ')}`
}

/**
 * Returns a function that returns the stream of a call, which is no public member of grpc-js 1.14.7. The first call
 * without one is logged as a warning. Without streams the server works, but neither probes without a token nor long
 * messages are limited together, and the stream of a refused call stays open until its client ends it.
 */
export const callStreams = (log: Pick<Log, 'warn'>): StreamOf => {
  const logMisfit = misfitLog(log, '@grpc/grpc-js')
  return (call) => {
    const { stream } = call as { stream?: Http2Stream }
    const reason = misfitOf(stream)
    if (reason === null) return stream
    logMisfit(reason)
    return undefined
  }
}
