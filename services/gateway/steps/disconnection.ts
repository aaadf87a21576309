import type { ServerResponse } from 'node:http'
import type { Context } from '../deps.ts'

/** One listener for each response: Node warns of a leak when there are more than ten. */
const signals = new WeakMap<ServerResponse, AbortSignal>()

/** Returns a signal that is aborted when the response is closed, which may be before it is sent. */
export const disconnection = ({ res }: Context): AbortSignal => {
  const known = signals.get(res)
  if (known) return known
  const ended = new AbortController()
  if (res.destroyed) ended.abort()
  else res.once('close', () => ended.abort())
  signals.set(res, ended.signal)
  return ended.signal
}
