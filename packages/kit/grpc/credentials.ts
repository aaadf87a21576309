import { createHash, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ChannelCredentials, ServerCredentials } from '@grpc/grpc-js'

/** Mutual TLS, each a file in PEM. */
export type WireTls = {
  /** The authority that signed both ends. */
  caFile: string
  certFile: string
  keyFile: string
  /** What peers' certificates are made out to, where it isn't the name they are called by. */
  serverName?: string
}

const read = ({ caFile, certFile, keyFile }: WireTls) => ({
  ca: readFileSync(caFile),
  cert: readFileSync(certFile),
  key: readFileSync(keyFile),
})

export const serverCredentials = (tls: WireTls | null): ServerCredentials => {
  if (!tls) return ServerCredentials.createInsecure()
  const { ca, cert, key } = read(tls)
  return ServerCredentials.createSsl(ca, [{ private_key: key, cert_chain: cert }], true)
}

export const clientCredentials = (tls: WireTls | null): ChannelCredentials => {
  if (!tls) return ChannelCredentials.createInsecure()
  const { ca, cert, key } = read(tls)
  return ChannelCredentials.createSsl(ca, key, cert)
}

/** What a call carries under `authorization`. */
export const bearer = (token: string): string => `Bearer ${token}`

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compares with each of the right ones in the same time whatever is shown. */
export const tokenCheck = (tokens: readonly string[]): ((shown: unknown) => boolean) => {
  const right = tokens.map((token) => digest(bearer(token)))
  return (shown) => {
    if (typeof shown !== 'string') return false
    const given = digest(shown)
    return right.filter((one) => timingSafeEqual(given, one)).length > 0
  }
}
