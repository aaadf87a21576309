import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'

const isLoopback = (address: string): boolean =>
  address === 'localhost' || address === '::1' || (isIPv4(address) && address.startsWith('127.'))

/**
 * Returns a function that refuses requests by their `Host`. A server that listens on this machine only is reached as
 * `localhost` or by a loopback address; any other name belongs to a web page that resolves it to this machine (DNS
 * rebinding) and would read the answer in a browser. `services/gateway/steps/checkHost.ts` has the rule for the API.
 * @param listenHost the address that the server listens on
 */
export const foreignHost = (listenHost: string): ((request: IncomingMessage) => boolean) => {
  if (!isLoopback(listenHost)) return () => false
  return ({ headers: { host = '' } }) => {
    const name = host
      .replace(/:\d*$/, '')
      .replace(/^\[(.*)\]$/, '$1')
      .toLowerCase()
    // A browser always sends a Host; a scraper that speaks HTTP/1.0 sends none.
    return name !== '' && !isLoopback(name) && !name.endsWith('.localhost')
  }
}
