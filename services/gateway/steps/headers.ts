import { newId } from '@postrider/kit/ids.ts'
import type { Step } from '../deps.ts'

/** An id that is safe in a header, a log line and a page. */
const safeId = /^[A-Za-z0-9_.:~-]{1,128}$/

/** Sets the request's id for its response, its errors and the logs: the client's own if it is safe. */
export const requestId: Step = (context, next) => {
  const given = context.req.headers['x-request-id']
  const id = typeof given === 'string' && safeId.test(given) ? given : newId('req')
  context.state.requestId = id
  context.res.setHeader('X-Request-Id', id)
  return next()
}

/**
 * Sets header fields so that no response may be framed, sniffed, executed or cached. A page that needs more sets its
 * own policy.
 */
export const securityHeaders: Step = (context, next) => {
  const { res } = context
  res.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  res.setHeader('X-Content-Type-Options', 'nosniff')
  res.setHeader('Referrer-Policy', 'no-referrer')
  res.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
  res.setHeader('Cache-Control', 'no-store')
  if (context.state.secure) res.setHeader('Strict-Transport-Security', 'max-age=31536000')
  return next()
}
