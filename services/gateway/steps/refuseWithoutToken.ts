import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Fault } from '@postrider/kit/fault.ts'

/**
 * Refuses a session's change without the token that only our pages can read.
 * @throws Fault `csrf`
 */
export const refuseWithoutToken = (request: IncomingMessage, expected: string): void => {
  const sent = Buffer.from(String(request.headers['x-csrf-token'] ?? ''))
  const wanted = Buffer.from(expected)
  if (wanted.length > 0 && sent.length === wanted.length && timingSafeEqual(sent, wanted)) return
  throw new Fault(
    'csrf',
    'Changes by session need the header X-CSRF-Token with the csrf_token of GET /api/v1/auth/session.',
  )
}
