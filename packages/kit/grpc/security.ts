import type { WireTls } from './credentials.ts'

/** Of contracts/settings.ts. */
export type WireConfig = {
  POSTRIDER_WIRE_TOKEN: readonly string[]
  POSTRIDER_WIRE_CA?: string | undefined
  POSTRIDER_WIRE_CERT?: string | undefined
  POSTRIDER_WIRE_KEY?: string | undefined
}

export type WireSecurity = {
  /** What calls of ours carry. */
  token: string
  /** What else is taken from those who call, while the token is being changed. */
  alsoTaken?: readonly string[]
  tls?: WireTls
}

/** What a process shows its peers, and asks of them. */
export const wireSecurity = ({
  POSTRIDER_WIRE_TOKEN: [token = '', ...alsoTaken],
  POSTRIDER_WIRE_CA: caFile,
  POSTRIDER_WIRE_CERT: certFile,
  POSTRIDER_WIRE_KEY: keyFile,
}: WireConfig): WireSecurity =>
  caFile !== undefined && certFile !== undefined && keyFile !== undefined
    ? { token, alsoTaken, tls: { caFile, certFile, keyFile } }
    : { token, alsoTaken }
