import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ChannelCredentials, ServerCredentials } from '@grpc/grpc-js'
import { Fault } from '../fault.ts'

/** Files for mutual TLS, in PEM. */
export type PeerTls = {
  /** The authority that signed the certificates of client and server. */
  caFile: string
  certFile: string
  keyFile: string
  /** Name in the certificate of the server, when it differs from the host in its address. */
  serverName?: string
}

/** The names in a verified certificate, as Node parses them. */
export type PeerCertificate = { subjectaltname?: string | undefined; subject?: { CN?: unknown } }

/** Authentication between the processes of an installation. */
export type PeerSecurity = {
  /** Sent with every call, and accepted from every caller unless `callers` is set; null: none. */
  token: string | null
  /** Further tokens that a server accepts while the token is being changed. */
  alsoAccepted?: readonly string[]
  /**
   * Accepted tokens by the name of the caller. While a token is being changed, several callers may have the same one.
   */
  callers?: Readonly<Record<string, readonly string[]>>
  /** What identifies a caller; default: its token. */
  identity?: 'token' | 'certificate'
  /** Name of this process, such as `quota`: callers with certificates have the names of the same installation. */
  self?: string
  tls?: PeerTls
}

/** Environment variables of `peerSecurity` and `callerTokens` in kit/peerSettings.ts. */
export type PeerSecurityConfig = {
  POSTRIDER_WIRE_TOKEN?: readonly string[] | undefined
  POSTRIDER_WIRE_TOKEN_GATEWAY?: readonly string[] | undefined
  POSTRIDER_WIRE_TOKEN_INTAKE?: readonly string[] | undefined
  POSTRIDER_WIRE_TOKEN_ACCOUNTS?: readonly string[] | undefined
  POSTRIDER_WIRE_IDENTITY?: 'token' | 'certificate' | undefined
  POSTRIDER_WIRE_CA?: string | undefined
  POSTRIDER_WIRE_CERT?: string | undefined
  POSTRIDER_WIRE_KEY?: string | undefined
}

/** @param self name of this process, whose own token it sends */
export const peerSecurity = (config: PeerSecurityConfig, self: string): PeerSecurity => {
  const shared = config.POSTRIDER_WIRE_TOKEN ?? []
  const own: Record<string, readonly string[] | undefined> = {
    gateway: config.POSTRIDER_WIRE_TOKEN_GATEWAY,
    intake: config.POSTRIDER_WIRE_TOKEN_INTAKE,
    accounts: config.POSTRIDER_WIRE_TOKEN_ACCOUNTS,
  }
  const callers = Object.entries(own).flatMap(([name, tokens]) =>
    tokens === undefined || name === self ? [] : [[name, tokens] as const],
  )
  const { POSTRIDER_WIRE_CA: caFile, POSTRIDER_WIRE_CERT: certFile, POSTRIDER_WIRE_KEY: keyFile } = config
  return {
    token: (own[self] ?? shared)[0] ?? null,
    alsoAccepted: shared,
    identity: config.POSTRIDER_WIRE_IDENTITY ?? 'token',
    self,
    ...(callers.length > 0 && { callers: Object.fromEntries(callers) }),
    ...(caFile !== undefined &&
      certFile !== undefined &&
      keyFile !== undefined && { tls: { caFile, certFile, keyFile } }),
  }
}

/**
 * Returns the callers whose first token is also the first one of another caller: each may call the methods of the
 * other. A later token may be the same while the tokens are being changed.
 */
export const callersOfOneToken = ({ callers = {}, identity }: Omit<PeerSecurity, 'token'>): string[] => {
  const byToken = Map.groupBy(Object.keys(callers), (name) => callers[name]?.[0])
  return identity === 'certificate' ? [] : [...byToken.values()].filter((names) => names.length > 1).flat()
}

/** @throws Fault `forbidden`: a file cannot be read. It names the variable only: it may contain the key itself. */
const readFile = (variable: string, file: string): Buffer => {
  try {
    return readFileSync(file)
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code ?? 'unknown error'
    throw new Fault('forbidden', `${variable}: the file cannot be read (${code}); it must be the path of a PEM file`)
  }
}

const read = ({ caFile, certFile, keyFile }: PeerTls) => {
  const files = {
    ca: readFile('POSTRIDER_WIRE_CA', caFile),
    cert: readFile('POSTRIDER_WIRE_CERT', certFile),
    key: readFile('POSTRIDER_WIRE_KEY', keyFile),
  }
  try {
    // A server would report malformed files only at its first connection.
    ChannelCredentials.createSsl(files.ca, files.key, files.cert)
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code ?? 'unknown error'
    const names = 'POSTRIDER_WIRE_CA, POSTRIDER_WIRE_CERT, POSTRIDER_WIRE_KEY'
    throw new Fault(
      'forbidden',
      `${names}: a file is not valid PEM, or the key does not belong to the certificate (${code})`,
    )
  }
  return files
}

export const serverCredentials = (tls: PeerTls | undefined): ServerCredentials => {
  if (!tls) return ServerCredentials.createInsecure()
  const { ca, cert, key } = read(tls)
  return ServerCredentials.createSsl(ca, [{ private_key: key, cert_chain: cert }], true)
}

/** Returns the certificate of this process; null: it has none. */
export const ownCertificate = (tls: PeerTls | undefined): PeerCertificate | null =>
  tls ? new X509Certificate(read(tls).cert).toLegacyObject() : null

export const clientCredentials = (tls: PeerTls | undefined): ChannelCredentials => {
  if (!tls) return ChannelCredentials.createInsecure()
  const { ca, cert, key } = read(tls)
  return ChannelCredentials.createSsl(ca, key, cert)
}

/** Returns the `authorization` metadata of a call; null: none. */
export const bearer = (token: string | null): string | null => (token === null ? null : `Bearer ${token}`)
