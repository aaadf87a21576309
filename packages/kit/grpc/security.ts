import type { WireTls } from './credentials.ts'

/** Of contracts/settings.ts. */
export type WireConfig = {
  POSTRIDER_WIRE_TOKEN: string
  POSTRIDER_WIRE_CA?: string | undefined
  POSTRIDER_WIRE_CERT?: string | undefined
  POSTRIDER_WIRE_KEY?: string | undefined
}

/** What a process shows its peers, and asks of them. */
export const wireSecurity = ({
  POSTRIDER_WIRE_TOKEN: token,
  POSTRIDER_WIRE_CA: caFile,
  POSTRIDER_WIRE_CERT: certFile,
  POSTRIDER_WIRE_KEY: keyFile,
}: WireConfig): { token: string; tls?: WireTls } =>
  caFile !== undefined && certFile !== undefined && keyFile !== undefined
    ? { token, tls: { caFile, certFile, keyFile } }
    : { token }
