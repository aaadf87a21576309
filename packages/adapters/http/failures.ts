import type { FailReason } from '@postrider/ports/webhookClient.ts'
import type { Phase } from './connection.ts'

/**
 * Reason and detail of a failure, for the customer. The text contains no address: a name of the customer may resolve in
 * our network.
 */
export type Failure = { reason: FailReason; detail: string }

const connectDetails: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the host refused the connection',
  ECONNRESET: 'the host reset the connection',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network of the host is unreachable',
}

const tlsDetails: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is not valid for the host',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is signed by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the authority of the certificate is unknown; send the intermediate certificates too',
}

const responseDetails: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_OVERFLOW: 'the header of the response is too large',
  UND_ERR_SOCKET: 'the connection ended before the response was complete',
  ECONNRESET: 'the connection ended before the response was complete',
  EPIPE: 'the connection ended before the response was complete',
}

/** Returns the codes of an error: of all attempts if several addresses were tried. */
const codesOf = (error: unknown): string[] => {
  if (!(error instanceof Error)) return []
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  const inner = error instanceof AggregateError ? error.errors.flatMap(codesOf) : []
  return [...own, ...inner]
}

const detailOf = (error: unknown, details: Readonly<Record<string, string>>, otherwise: string): string =>
  codesOf(error).flatMap((code) => details[code] ?? [])[0] ?? otherwise

/** Returns what the error of a request means. It depends on how far the connection had come. */
export const failureOf = (error: unknown, phase: Phase): Failure => {
  switch (phase) {
    case 'connecting':
      return { reason: 'connect', detail: detailOf(error, connectDetails, 'the host cannot be connected to') }
    case 'securing':
      return { reason: 'tls', detail: detailOf(error, tlsDetails, 'the TLS handshake failed') }
    case 'open':
      return { reason: 'response', detail: detailOf(error, responseDetails, 'the response is not valid HTTP') }
  }
}

/** Returns whether the receiver closed an idle connection while a request was sent on it (RFC 9112 §9.3.1). */
export const isClosedConnection = (error: unknown): boolean =>
  codesOf(error).some((code) => ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(code))
