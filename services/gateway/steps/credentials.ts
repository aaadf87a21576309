import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Fault, hasCode } from '@postrider/kit/fault.ts'
import type { Context } from '../deps.ts'

/* What a request shows of its caller: the token of a header, and that it comes from our own pages. */

/** Returns the token of an `Authorization` header; empty: there is none. */
export const bearerToken = (header: string | undefined): string => /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? ''

/** Returns null for a refusal that reports an unknown or ended session. */
export const nullIfEnded = (thrown: unknown): null => {
  if (hasCode(thrown, 'unauthenticated')) return null
  throw thrown
}

/** Returns whether a request may change something. */
export const changesSomething = ({ method }: Pick<Context, 'method'>): boolean => method !== 'GET' && method !== 'HEAD'

const otherSiteFault = (): Fault =>
  new Fault(
    'csrf',
    'The request came from another site; logins, sign-ups and changes by session are only accepted from this site.',
  )

/** Whether a page's origin has the host and port that the request was made to. */
const isSameHost = (origin: string, host: string | undefined): boolean =>
  host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase()

/**
 * Refuses a request that, according to the browser, another site made. A client that sends neither header passes.
 * @throws Fault `csrf`
 */
export const refuseOtherSite = (request: IncomingMessage, publicUrl: string): void => {
  const { origin, host } = request.headers
  if (request.headers['sec-fetch-site'] === 'cross-site') throw otherSiteFault()
  if (origin === undefined || origin === publicUrl) return
  if (!isSameHost(origin, host)) throw otherSiteFault()
}

/**
 * Requires the token that only our own pages can read.
 * @throws Fault `csrf`
 */
export const requireCsrfToken = (given: string, expected: string): void => {
  const sent = Buffer.from(given)
  const wanted = Buffer.from(expected)
  if (wanted.length > 0 && sent.length === wanted.length && timingSafeEqual(sent, wanted)) return
  throw new Fault(
    'csrf',
    'A change by session needs the header X-CSRF-Token with the csrf_token of GET /api/v1/auth/session.',
  )
}

/** Returns the token for changes that a request sends; empty: none. */
export const sentCsrfToken = ({ headers }: IncomingMessage): string => String(headers['x-csrf-token'] ?? '')
