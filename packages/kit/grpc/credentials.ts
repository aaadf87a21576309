import { createHash, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  ChannelCredentials,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptor,
  status,
} from '@grpc/grpc-js'
import { healthPath } from './health.ts'

/** Files for mutual TLS, in PEM. */
export type PeerTls = {
  /** The authority that signed the certificates of client and server. */
  caFile: string
  certFile: string
  keyFile: string
  /** Name in the certificate of the server, when it differs from the host in its address. */
  serverName?: string
}

/** How the processes of an installation authenticate each other. */
export type PeerSecurity = {
  /** Sent with every call. */
  token: string
  /** Further tokens that a server accepts while the token is being changed. */
  alsoAccepted?: readonly string[]
  tls?: PeerTls
}

/** Environment variables of `peerSecuritySettings` in kit/settings.ts. */
export type PeerSecurityConfig = {
  POSTRIDER_WIRE_TOKEN: readonly string[]
  POSTRIDER_WIRE_CA?: string | undefined
  POSTRIDER_WIRE_CERT?: string | undefined
  POSTRIDER_WIRE_KEY?: string | undefined
}

export const peerSecurity = ({
  POSTRIDER_WIRE_TOKEN: [token = '', ...alsoAccepted],
  POSTRIDER_WIRE_CA: caFile,
  POSTRIDER_WIRE_CERT: certFile,
  POSTRIDER_WIRE_KEY: keyFile,
}: PeerSecurityConfig): PeerSecurity =>
  caFile !== undefined && certFile !== undefined && keyFile !== undefined
    ? { token, alsoAccepted, tls: { caFile, certFile, keyFile } }
    : { token, alsoAccepted }

const read = ({ caFile, certFile, keyFile }: PeerTls) => ({
  ca: readFileSync(caFile),
  cert: readFileSync(certFile),
  key: readFileSync(keyFile),
})

export const serverCredentials = (tls: PeerTls | undefined): ServerCredentials => {
  if (!tls) return ServerCredentials.createInsecure()
  const { ca, cert, key } = read(tls)
  return ServerCredentials.createSsl(ca, [{ private_key: key, cert_chain: cert }], true)
}

export const clientCredentials = (tls: PeerTls | undefined): ChannelCredentials => {
  if (!tls) return ChannelCredentials.createInsecure()
  const { ca, cert, key } = read(tls)
  return ChannelCredentials.createSsl(ca, key, cert)
}

/** Returns the `authorization` metadata of a call. */
export const bearer = (token: string): string => `Bearer ${token}`

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Returns a check of an `authorization` value. It compares with every accepted token, in constant time. */
const tokenCheck = (tokens: readonly string[]): ((value: unknown) => boolean) => {
  const accepted = tokens.map((token) => digest(bearer(token)))
  return (value) => {
    if (typeof value !== 'string') return false
    const given = digest(value)
    return accepted.filter((one) => timingSafeEqual(given, one)).length > 0
  }
}

/**
 * Rejects a call without an accepted token before its message is read. Health probes may omit the token; with a wrong
 * token they fail, so that a client learns it from the probe.
 */
export const requireToken = (tokens: readonly string[]): ServerInterceptor => {
  const isAccepted = tokenCheck(tokens)
  return ({ path }, call) => {
    const isProbe = path.startsWith(healthPath)
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, proceed) => {
            const [value] = metadata.get('authorization')
            if (isAccepted(value) || (isProbe && value === undefined)) proceed(metadata)
            else call.sendStatus({ code: status.UNAUTHENTICATED, details: 'missing or wrong token' })
          },
        }),
    })
  }
}
