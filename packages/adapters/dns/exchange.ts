import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect, isIPv6 } from 'node:net'
import type { After } from '@postrider/kit/after.ts'
import type { CheckAllowance } from './allowance.ts'
import { type DnsReply, encodeQuery, type Query, type ReadDnsReply, readDnsReply, replyCodes } from './message.ts'

/** The address and port of a name server. */
export type Endpoint = { address: string; port: number }

/** Reason why a server gave no usable reply. */
export type Failure = 'servfail' | 'timeout' | 'refused' | 'lame' | 'malformed' | 'failed'

export type Exchanged = { kind: 'reply'; reply: DnsReply } | { kind: 'failed'; why: Failure }

/** Result of one query. `ignored`: a message arrived that is no reply to it; the query continues. */
export type QueryEvent = { via: 'udp' | 'tcp'; outcome: 'reply' | 'truncated' | 'ignored' | Failure }

export type Exchange = {
  allowance: CheckAllowance
  /** Time limit of one query over UDP, and of one over TCP. */
  tryMs: number
  after: After
  observe(event: QueryEvent): void
}

/** Replies with a wrong id or question that one query ignores; more of them are an attack, which ends the query. */
const maxIgnored = 16

const withoutEdns: readonly number[] = [replyCodes.formErr, replyCodes.notImp]

/**
 * Sends one query to one server, over UDP and, if the reply is truncated, over TCP (RFC 7766 §5). Each query has a new
 * socket, so a new source port, and a random id (RFC 5452 §9); the system discards datagrams of other senders.
 */
export const exchange = async (
  server: Endpoint,
  question: Pick<Query, 'name' | 'type' | 'wantsRecursion'>,
  options: Exchange,
): Promise<Exchanged> => {
  const first = await exchangeOnce(server, { ...question, hasEdns: true }, options)
  // Old servers refuse a query with EDNS in one of these ways (RFC 6891 §7).
  const isOld = first.kind === 'reply' && withoutEdns.includes(first.reply.code)
  return isOld ? exchangeOnce(server, { ...question, hasEdns: false }, options) : first
}

const exchangeOnce = async (server: Endpoint, question: Omit<Query, 'id'>, options: Exchange): Promise<Exchanged> => {
  const query: Query = { ...question, id: randomInt(2 ** 16) }
  const overUdp = await attempt('udp', server, query, options)
  const isTruncated = overUdp.kind === 'reply' && overUdp.reply.isTruncated
  return isTruncated ? attempt('tcp', server, { ...query, id: randomInt(2 ** 16) }, options) : overUdp
}

/** What a socket reports. Both end an attempt, except that a message may be ignored. */
type Listener = { onMessage(message: Buffer): void; onFailure(why: Failure): void }

/** Opens a socket and sends the query. Disposing destroys the socket. */
type Send = (server: Endpoint, message: Buffer, listener: Listener, allowance: CheckAllowance) => Disposable

const attempt = (
  via: 'udp' | 'tcp',
  server: Endpoint,
  query: Query,
  { allowance, tryMs, after, observe }: Exchange,
): Promise<Exchanged> => {
  const { promise, resolve } = Promise.withResolvers<Exchanged>()
  const refusal = allowance.takeQuery()
  if (refusal !== null) return Promise.resolve({ kind: 'failed', why: refusal })
  const cleanUp = new DisposableStack()
  let ignored = 0

  const end = (exchanged: Exchanged): void => {
    if (cleanUp.disposed) return
    cleanUp.dispose()
    const isTruncated = exchanged.kind === 'reply' && exchanged.reply.isTruncated
    observe({ via, outcome: exchanged.kind === 'failed' ? exchanged.why : isTruncated ? 'truncated' : 'reply' })
    resolve(exchanged)
  }
  const onFailure = (why: Failure): void => end({ kind: 'failed', why })
  const onMessage = (message: Buffer): void => {
    if (cleanUp.disposed) return
    const read: ReadDnsReply = readDnsReply(message, query)
    if (read.kind === 'reply' && !(via === 'tcp' && read.reply.isTruncated)) {
      end(read)
      return
    }
    if (read.kind === 'other') {
      ignored += 1
      observe({ via, outcome: 'ignored' })
      // Over TCP only the server can send on the connection.
      if (via === 'udp' && ignored <= maxIgnored) return
    }
    onFailure('malformed')
  }
  const onAbort = (): void => onFailure('failed')
  const send: Send = via === 'udp' ? sendDatagram : sendStream

  cleanUp.use(after(allowance.limitMs(tryMs), () => onFailure('timeout')))
  allowance.signal.addEventListener('abort', onAbort, { once: true })
  cleanUp.defer(() => allowance.signal.removeEventListener('abort', onAbort))
  try {
    cleanUp.use(send(server, encodeQuery(query), { onMessage, onFailure }, allowance))
  } catch {
    // Node throws immediately for an address or a port that no socket can have.
    onFailure('failed')
  }
  return promise
}

const sendDatagram: Send = ({ address, port }, message, { onMessage, onFailure }, allowance) => {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  let isOpen = true
  socket.on('error', () => onFailure('failed'))
  socket.on('message', (reply) => (allowance.takeBytes(reply.length) ? onMessage(reply) : onFailure('failed')))
  try {
    socket.connect(port, address, (error?: Error) => {
      if (error) onFailure('failed')
      else if (isOpen) socket.send(message, (failure) => failure && onFailure('failed'))
    })
  } catch (thrown) {
    socket.close()
    throw thrown
  }
  return {
    [Symbol.dispose]: () => {
      isOpen = false
      socket.close()
    },
  }
}

/** Each message follows its length in two bytes (RFC 1035 §4.2.2), so the longest has 65,535 bytes. */
const sendStream: Send = ({ address, port }, message, { onMessage, onFailure }, allowance) => {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(message.length)
  const socket = connect({ host: address, port })
  const parts: Buffer[] = []
  let received = 0
  const onData = (part: Buffer): void => {
    if (!allowance.takeBytes(part.length)) {
      onFailure('failed')
      return
    }
    parts.push(part)
    received += part.length
    if (received < 2) return
    const needed = 2 + Buffer.concat(parts.slice(0, 2)).readUInt16BE()
    if (received >= needed) onMessage(Buffer.concat(parts).subarray(2, needed))
  }
  socket.on('error', () => onFailure('failed'))
  socket.on('data', onData)
  socket.on('close', () => onFailure('failed'))
  socket.write(Buffer.concat([length, message]))
  return { [Symbol.dispose]: () => void socket.destroy() }
}
