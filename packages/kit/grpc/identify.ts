import { createHash, timingSafeEqual } from 'node:crypto'
import { bearer, type PeerCertificate, type PeerSecurity } from './credentials.ts'

/** Names of the services that a call may come from, comma-separated; empty: none. */
export type Callers = string

/** Proof of a caller: the value of `authorization`, and the certificate of its connection. */
export type Proof = { authorization: unknown; certificate(): PeerCertificate | undefined }

/** Returns the callers that the proof matches; null: none. */
export type Identify = (proof: Proof) => Callers | null

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Returns how a server identifies callers. A shared token fits every caller.
 * @param names of all callers that the server accepts; empty: the server does not distinguish callers
 * @param own certificate of the server; null: it has none
 */
export const identifyBy = (
  security: Omit<PeerSecurity, 'tls'>,
  names: readonly string[],
  own: PeerCertificate | null = null,
): Identify =>
  security.identity === 'certificate'
    ? byCertificate(names, installationsIn(dnsNames(own ?? {}), security.self ?? ''))
    : byToken(security, names)

const byToken = (
  { token, alsoAccepted = [], callers }: Omit<PeerSecurity, 'tls'>,
  names: readonly string[],
): Identify => {
  const shared = [...new Set(token === null ? alsoAccepted : [token, ...alsoAccepted])]
  const tokens = callers ?? Object.fromEntries((names.length > 0 ? names : ['']).map((name) => [name, shared]))
  const accepted = Object.entries(tokens).flatMap(([name, all]) =>
    all.map((one) => ({ name, expected: digest(bearer(one) ?? '') })),
  )
  return ({ authorization }) => {
    if (typeof authorization !== 'string') return null
    const given = digest(authorization)
    // Compares with every token, in constant time.
    const found = accepted.filter(({ expected }) => timingSafeEqual(given, expected)).map(({ name }) => name)
    return found.length === 0 ? null : found.join(',')
  }
}

/** @param own installations of this process; none: its certificate does not name one, and any is accepted */
const byCertificate =
  (names: readonly string[], own: readonly Installation[]): Identify =>
  ({ certificate }) => {
    const presented = dnsNames(certificate())
    if (names.length === 0) return presented.length === 0 ? null : ''
    const found = names.filter((name) => installationsIn(presented, name).some((one) => isAmong(own, one)))
    return found.length === 0 ? null : found.join(',')
  }

/**
 * The installation of a service by its DNS name: `postrider-quota.mail.svc` is quota with the prefix `postrider-` in
 * `mail.svc`. The authority may have signed the gateway of another installation too, or of another program.
 */
type Installation = { prefix: string; domain: string }

/**
 * Returns the installations of a service in the names of a certificate. A name is `gateway` or `<release>-gateway`,
 * alone or as the first label of a longer name. A short name adds nothing to a longer one.
 */
const installationsIn = (names: readonly string[], service: string): Installation[] => {
  const all = names.flatMap((name) => {
    const [label = '', ...rest] = name.toLowerCase().split('.')
    const prefix = label.slice(0, Math.max(0, label.length - service.length))
    const isOf = service !== '' && label === `${prefix}${service}` && (prefix === '' || prefix.endsWith('-'))
    return isOf ? [{ prefix, domain: rest.join('.') }] : []
  })
  return all.filter(
    ({ prefix, domain }) => domain !== '' || !all.some((one) => one.prefix === prefix && one.domain !== ''),
  )
}

const isAmong = (own: readonly Installation[], { prefix, domain }: Installation): boolean =>
  own.length === 0 || own.some((one) => one.prefix === prefix && isSameDomain(one.domain, domain))

/** Returns whether one domain may be a short form of the other, as `mail` and `mail.svc` are of `mail.svc.local`. */
const isSameDomain = (one: string, other: string): boolean =>
  one === '' || other === '' || `${one}.`.startsWith(`${other}.`) || `${other}.`.startsWith(`${one}.`)

/** Node quotes a name with unusual characters (CVE-2021-44532), so a quoted entry never matches. */
const dnsNames = (certificate: PeerCertificate | undefined): string[] => {
  if (certificate === undefined) return []
  const alternatives = certificate.subjectaltname
    ?.split(', ')
    .flatMap((entry) => /^DNS:([\w.-]+)$/.exec(entry)?.[1] ?? [])
  if (alternatives !== undefined && alternatives.length > 0) return alternatives
  // A subject with several common names has a list.
  const common = certificate.subject?.CN
  return typeof common === 'string' ? [common] : []
}
