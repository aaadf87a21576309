import type { IncomingMessage } from 'node:http'
import { Fault } from '@postrider/kit/fault.ts'

const foreign = (): Fault =>
  new Fault('csrf', 'This request came from another site; changes by session are taken from our own pages alone.')

/** Host and port a request was made to, as browsers write them in `Origin`. */
const sameHost = (origin: string, host: string | undefined): boolean =>
  host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase()

/**
 * Refuses what a browser says another site made. A client that says nothing of it is judged by the token alone.
 * @throws Fault `csrf`
 */
export const refuseForeignSite = (request: IncomingMessage, publicUrl: string): void => {
  const { origin, host } = request.headers
  if (request.headers['sec-fetch-site'] === 'cross-site') throw foreign()
  if (origin === undefined || origin === publicUrl) return
  if (!sameHost(origin, host)) throw foreign()
}
