import type { Http2Stream } from 'node:http2'
import { createRequire } from 'node:module'
import type { ServerInterceptingCallInterface } from '@grpc/grpc-js'
import type { Log } from '../log.ts'

/** Returns the stream of a call. It is no public member of grpc-js 1.14.7; undefined: this version has none. */
export const streamOf = (call: ServerInterceptingCallInterface): Http2Stream | undefined =>
  (call as { stream?: Http2Stream }).stream

/**
 * Checks that calls of grpc-js have a stream, and logs a warning if not. Without it the server works, but neither probes without a
 * token nor long messages are limited together, and the stream of a refused call stays open until its client ends it.
 * @param load loads a file of grpc-js
 * @returns whether calls have a stream
 */
export const checkCallStreams = (
  log: Pick<Log, 'warn'>,
  load: (path: string) => unknown = createRequire(import.meta.url),
): boolean => {
  const reason = mismatch(load)
  if (reason !== null)
    log.warn({ library: '@grpc/grpc-js', reason }, 'patch does not fit this version, running unpatched')
  return reason === null
}

const file = 'build/src/server-interceptors.js'

/** Returns why calls have no stream; null: they have. */
const mismatch = (load: (path: string) => unknown): string | null => {
  let internals: { BaseServerInterceptingCall?: unknown }
  try {
    internals = load(`@grpc/grpc-js/${file}`) as typeof internals
  } catch {
    return `${file} cannot be loaded`
  }
  const { BaseServerInterceptingCall } = internals
  if (typeof BaseServerInterceptingCall !== 'function') return 'there is no class BaseServerInterceptingCall'
  // The stream is a member of each call, so only the source shows it before there is a call.
  return /\bthis\.stream = stream\b/.test(String(BaseServerInterceptingCall)) ? null : 'a call has no member stream'
}
