import { createHash, timingSafeEqual } from 'node:crypto'
import { bearer, type PeerSecurity } from './credentials.ts'

/** Names of the services that a call may come from, comma-separated; empty: none. */
export type Callers = string

/** The names in a verified certificate, as Node parses them. */
export type PeerCertificate = { subjectaltname?: string | undefined; subject?: { CN?: unknown } }

/** Proof of a caller: the value of `authorization`, and the certificate of its connection. */
export type Proof = { authorization: unknown; certificate(): PeerCertificate | undefined }

/** Returns the callers that the proof matches; null: none. */
export type Identify = (proof: Proof) => Callers | null

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Returns how a server identifies callers. A shared token fits every caller.
 * @param names of all callers that the server accepts; empty: the server does not distinguish callers
 */
export const identifyBy = (security: Omit<PeerSecurity, 'tls'>, names: readonly string[]): Identify =>
  security.identity === 'certificate' ? byCertificate(names) : byToken(security, names)

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

const byCertificate =
  (names: readonly string[]): Identify =>
  ({ certificate }) => {
    const presented = dnsNames(certificate())
    if (names.length === 0) return presented.length === 0 ? null : ''
    const found = names.filter((name) => presented.some((dnsName) => isOf(name, dnsName)))
    return found.length === 0 ? null : found.join(',')
  }

/** `gateway` and `<release>-gateway`, alone or as the first label of a longer name. */
const isOf = (name: string, dnsName: string): boolean => {
  const [label = ''] = dnsName.toLowerCase().split('.')
  return label === name || label.endsWith(`-${name}`)
}

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
