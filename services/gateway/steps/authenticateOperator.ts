import { hash, timingSafeEqual } from 'node:crypto'
import { Fault } from '@postrider/kit/fault.ts'
import type { Step } from '../context.ts'

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')

/** @param token the operator's; digests are compared, so neither its length nor its beginning shows in the time taken */
export const authenticateOperator = (token: string): Step => {
  const expected = digest(token)
  return function authenticateOperator(context, next) {
    const sent = /^Bearer +(\S+) *$/i.exec(context.req.headers.authorization ?? '')?.[1] ?? ''
    if (timingSafeEqual(digest(sent), expected)) return next()
    throw new Fault('unauthenticated', 'This request needs the operator’s token (Authorization: Bearer …).')
  }
}
