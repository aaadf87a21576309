/** What people can read of a network error, by its code. `peer` is `host:port`. */
const sentences: Record<string, (peer: string) => string> = {
  ECONNREFUSED: (peer) => `connection refused by ${peer}`,
  ECONNRESET: (peer) => `connection reset by ${peer}`,
  EPIPE: (peer) => `connection closed by ${peer}`,
  ENOTFOUND: (peer) => `no such host: ${peer}`,
  EAI_AGAIN: (peer) => `cannot resolve the name of ${peer} now`,
  ETIMEDOUT: (peer) => `no connection to ${peer} in time`,
  EHOSTUNREACH: (peer) => `no route to ${peer}`,
  ENETUNREACH: (peer) => `no route to ${peer}`,
}

/** Returns the code of an error of Node or OpenSSL; empty: it has none. */
export const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

/** Returns why a connection was lost. */
export const lossReason = (error: Error, peer: string): string => {
  const code = codeOf(error)
  return sentences[code]?.(peer) ?? `connection to ${peer} failed: ${code || error.message.slice(0, 200)}`
}

const untrusted = (what: string): string =>
  `${what}; the operator can trust its authority with NODE_EXTRA_CA_CERTS, or accept any certificate with ?tls=unverified`

/** What is wrong with a certificate, by the code of OpenSSL or Node. */
const certificateFaults: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted('its certificate is self-signed'),
  SELF_SIGNED_CERT_IN_CHAIN: untrusted('its certificate comes from an authority that is not trusted here'),
  UNABLE_TO_GET_ISSUER_CERT: untrusted('the authority of its certificate is unknown'),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted('the authority of its certificate is unknown'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted('the authority of its certificate is unknown'),
  CERT_UNTRUSTED: untrusted('its certificate comes from an authority that is not trusted here'),
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate is revoked',
  INVALID_PURPOSE: 'its certificate is not for servers',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
}

/** Returns why TLS could not be started. */
export const tlsReason = (error: Error, peer: string): string => {
  const code = codeOf(error)
  if (code in sentences) return `TLS with ${peer} failed: ${lossReason(error, peer)}`
  const fault = certificateFaults[code]
  return `TLS with ${peer} failed: ${code || error.message.slice(0, 200)}${fault === undefined ? '' : ` (${fault})`}`
}
