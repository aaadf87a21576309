import { isIP } from 'node:net'

/** DNS services whose names contain the address to which they resolve: `10.0.0.1.nip.io`, `app-10-0-0-1.sslip.io`. */
const services = /^(?:(.*?)\.)?(?:nip\.io|sslip\.io|traefik\.me|xip\.io)$/

/** Public names that always resolve to loopback. */
const loopbackNames = /(?:^|\.)(?:localtest\.me|lvh\.me)$/

const separated = /(?:^|[.-])(\d{1,3})([.-])(\d{1,3})\2(\d{1,3})\2(\d{1,3})(?=$|[.-])/
const hexadecimal = /(?:^|[.-])([0-9a-f]{8})$/

/**
 * Returns the addresses that a name of such a service resolves to, without querying it; null: the name does not show
 * any. The check of each resolved address does not depend on this: it lets a user see the refusal when the endpoint is
 * created.
 */
export const embeddedAddress = (host: string): readonly string[] | null => {
  if (loopbackNames.test(host)) return ['127.0.0.1']
  const prefix = services.exec(host)?.[1]
  if (prefix === undefined) return null
  const [, a, , b, c, d] = separated.exec(prefix) ?? []
  const [, hex] = hexadecimal.exec(prefix) ?? []
  const candidates = [
    ...(a === undefined ? [] : [[a, b, c, d].map(Number).join('.')]),
    ...(hex === undefined ? [] : [Buffer.from(hex, 'hex').join('.')]),
    // sslip.io writes IPv6 with hyphens instead of colons.
    (prefix.split('.').at(-1) ?? '').replaceAll('-', ':'),
  ]
  const found = candidates.find((candidate) => isIP(candidate) !== 0)
  return found === undefined ? null : [found]
}
