import { constants } from 'node:crypto'
import { createRequire } from 'node:module'
import net, { type LookupFunction } from 'node:net'
import tls from 'node:tls'
import { unmapAddress } from '@postrider/domain/network.ts'
import type { WebhookTarget } from '@postrider/domain/webhooks/url.ts'
import type { buildConnector, Client } from 'undici'

/**
 * The library is loaded at first use: it adds 100 ms to the start of a process, which may never deliver to a webhook.
 */
const undici = (): typeof import('undici') => createRequire(import.meta.url)('undici')

/** Loads the library, which blocks the event loop for 60 to 100 ms. */
export const loadHttpLibrary = (): void => void undici()

/** Phase of a connection; it decides what a failure means. */
export type Phase = 'connecting' | 'securing' | 'open'

/** One connection to one origin for one request at a time. It opens with the first request and never reconnects. */
export type HttpConnection = {
  readonly origin: string
  readonly client: Client
  phase(): Phase
  /** Whether it may carry another request: it was opened, and neither end has closed it. */
  isOpen(): boolean
  /** The addresses that the connection has or may still get: one as soon as it is open. */
  addresses(): readonly string[]
  /** Begins to count the received bytes of a request. */
  startCount(): void
  /** Ends the connection immediately. */
  drop(): void
  /** Calls back once when the connection is gone. */
  onEnd(listener: () => void): void
}

export type ConnectionLimits = {
  idleMs: number
  headerBytes: number
  /** Maximum size of one response with its framing, which the sizes of header and body do not include. */
  receivedBytes: number
}

export type OpenConnectionOptions = {
  /** All addresses have been checked. */
  addresses: readonly string[]
  limits: ConnectionLimits
  /** All authorities (PEM) of certificates; absent: those of Node. */
  authorities?: readonly string[] | undefined
}

/** Maximum number of addresses that are tried, in turn. */
const maxTried = 8
/** Bytes that the parser gets in one call. */
const bytesPerParse = 1_024
/** The time of one address before the next one is tried as well (RFC 8305 §5). */
const tryMs = 250

export const openConnection = (
  target: WebhookTarget,
  { addresses, limits, authorities }: OpenConnectionOptions,
): HttpConnection => {
  const { origin } = new URL(target.url)
  let socket: net.Socket | null = null
  let phase: Phase = 'connecting'
  let current = addresses
  let maxRead = limits.receivedBytes

  const connect: buildConnector.connector = (_, callback) => {
    if (socket !== null) {
      callback(new (undici().errors.SocketError)('the connection has ended'), null)
      return
    }
    const opening = openSocket(target, { addresses: addresses.slice(0, maxTried), authorities })
    socket = opening
    const fail = (error: Error): void => callback(error, null)
    opening.setNoDelay(true)
    opening.on('error', fail)
    opening.once('connect', () => {
      if (phase === 'connecting') phase = 'securing'
      if (opening.remoteAddress !== undefined) current = [unmapAddress(opening.remoteAddress)]
    })
    opening.once(target.isEncrypted ? 'secureConnect' : 'connect', () => {
      phase = 'open'
      // Informational responses, chunk extensions and trailers are endless for a parser that counts the body alone.
      opening.on('readable', () => {
        if (opening.bytesRead > maxRead) opening.destroy(new Error('too many bytes'))
      })
      readInPieces(opening)
      callback(null, opening)
      opening.off('error', fail)
    })
  }
  const client = new (undici().Client)(origin, {
    connect,
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: limits.headerBytes,
    // One time limit applies to the whole attempt.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: limits.idleMs,
    keepAliveMaxTimeout: limits.idleMs,
  })
  return {
    origin,
    client,
    phase: () => phase,
    isOpen: () => socket !== null && !socket.destroyed,
    addresses: () => current,
    startCount: () => {
      maxRead = (socket?.bytesRead ?? 0) + limits.receivedBytes
    },
    drop: () => {
      socket?.on('error', () => {}).destroy()
      void client.destroy()
    },
    onEnd: (listener) => void client.once('disconnect', listener),
  }
}

/**
 * Passes a buffer to a reader in pieces, and stops when the reader has destroyed the socket. The parser makes
 * an error for each line of a header beyond its limit, to the end of what it gets: 0.1 s of CPU for 64 KiB of short
 * lines.
 */
const readInPieces = (socket: net.Socket): void => {
  const read = socket.read.bind(socket)
  socket.read = (size) => {
    if (socket.destroyed) return null
    const waiting = socket.readableLength
    return read(size ?? (waiting > bytesPerParse ? bytesPerParse : undefined))
  }
}

/** Returns whether a request was refused before anything was sent, because a part of it is not allowed by HTTP. */
export const isInvalidRequest = (error: unknown): boolean => error instanceof undici().errors.InvalidArgumentError

/**
 * Connects to one of the checked addresses. The name of the target only goes into SNI and the check of the certificate.
 */
const openSocket = (
  { host, port, isEncrypted }: WebhookTarget,
  { addresses, authorities }: Pick<OpenConnectionOptions, 'addresses' | 'authorities'>,
): net.Socket => {
  const to = { host, port, lookup: lookupIn(addresses), autoSelectFamily: true, autoSelectFamilyAttemptTimeout: tryMs }
  if (!isEncrypted) return net.connect(to)
  return tls.connect({
    ...to,
    // An address is no name of SNI (RFC 6066 §3); the certificate is checked against `host`.
    ...(net.isIP(host) === 0 && { servername: host }),
    ...(authorities && { ca: [...authorities] }),
    ALPNProtocols: ['http/1.1'],
    // NODE_TLS_REJECT_UNAUTHORIZED would otherwise decide.
    rejectUnauthorized: true,
    // With TLS 1.2, a server could request handshakes until the time limit. HTTP needs only the first.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  })
}

/** Answers with the checked addresses, so that the name is not resolved a second time. A literal is not looked up. */
const lookupIn =
  (addresses: readonly string[]): LookupFunction =>
  (_, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: net.isIP(address) }))
    const [first] = found
    if (all) callback(null, found)
    else callback(null, first?.address ?? '', first?.family)
  }
