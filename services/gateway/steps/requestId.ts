import { newId } from '@postrider/kit/ids.ts'
import type { Step } from '../context.ts'

/** An id that is safe in a header, a log line and a page. */
const sane = /^[A-Za-z0-9_.:~-]{1,128}$/

/** Gives the request a name that stands in its answer, its errors and the logs: the caller's own where it is sane. */
export const requestId: Step = (context, next) => {
  const given = context.req.headers['x-request-id']
  const id = typeof given === 'string' && sane.test(given) ? given : newId('req')
  context.state.requestId = id
  context.res.setHeader('X-Request-Id', id)
  return next()
}
