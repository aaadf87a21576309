import net from 'node:net'
import tls from 'node:tls'
import { lossReason, tlsReason } from './reason.ts'
import { type Reply, replyReader, replyText } from './reply.ts'

/** The replies that came before all were there or the connection was lost; `lost` says why it was. */
export type Answer = { replies: Reply[]; lost: string | null }

/** A connection that speaks in lines and replies. Nothing here throws or rejects: a loss is an answer. */
export type Wire = {
  /** Writes and waits for `count` replies. A 421 is the last reply of any connection (RFC 5321 §3.8). */
  ask(text: string, count: number, withinMs: number): Promise<Answer>
  /** Writes bytes that have no reply; resolves when the kernel has them all, or when the connection is lost. */
  put(bytes: Uint8Array, withinMs: number): Promise<void>
  /** Whether it lives and nothing has come beyond the replies that were waited for. */
  clean(): boolean
  /** Puts TLS around the connection. @returns why it can't be; null: it is secured */
  secure(options: tls.ConnectionOptions, withinMs: number): Promise<string | null>
  /** Ends the connection at once, whatever is on its way. */
  drop(reason: string): void
  /** Why the connection is gone; null: it isn't. */
  lost(): string | null
  /** The reply that came when none was due, if one did: it cost the connection. */
  unasked(): Reply | null
  /** Calls back once when the connection is gone. */
  onLost(listener: () => void): void
  encrypted(): boolean
  loopback(): boolean
}

/** @param peer `host:port`, for reasons people read */
export const wireOver = (first: net.Socket, peer: string): Wire => {
  let socket = first
  let waiting: { replies: Reply[]; count: number; resolve(answer: Answer): void } | null = null
  let lost: string | null = null
  let unasked: Reply | null = null
  let timer: NodeJS.Timeout | undefined
  let lossListener = (): void => {}

  const settle = (): void => {
    const waiter = waiting
    waiting = null
    clearTimeout(timer)
    waiter?.resolve({ replies: waiter.replies, lost })
  }

  const drop = (reason: string): void => {
    if (lost !== null) return
    lost = reason
    socket.destroy()
    settle()
    lossListener()
  }

  const within = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => drop(`no answer from ${peer} within ${ms / 1000} s`), ms)
    timer.unref()
  }

  const saidBye = (reply: Reply): string => `${peer} ended the conversation: ${replyText(reply)}`

  const onReply = (reply: Reply): void => {
    if (lost !== null) return
    if (waiting === null) {
      unasked = reply
      drop(saidBye(reply))
      return
    }
    waiting.replies.push(reply)
    if (reply.code === 421) drop(saidBye(reply))
    else if (waiting.replies.length === waiting.count) settle()
  }

  const reader = replyReader(onReply)
  const onData = (chunk: Buffer): void => {
    const fault = reader.feed(chunk, performance.now())
    if (fault !== null) drop(`${peer} can't be understood: ${fault}`)
  }
  const onError = (error: Error): void => drop(lossReason(error, peer))
  const onClose = (): void => drop(`connection closed by ${peer}`)
  const listen = (): void => {
    socket.on('data', onData).on('error', onError).on('end', onClose).on('close', onClose)
  }
  listen()

  const secure = async (options: tls.ConnectionOptions, withinMs: number): Promise<string | null> => {
    if (lost !== null) return lost
    socket.removeListener('data', onData).removeListener('end', onClose).removeListener('close', onClose)
    socket = tls.connect({ ...options, socket: first })
    const fault = await whenReady(socket, 'secureConnect', peer, withinMs)
    if (fault === null) listen()
    else drop(fault)
    return fault
  }

  return {
    ask: (text, count, withinMs) => {
      if (lost !== null) return Promise.resolve({ replies: [], lost })
      within(withinMs)
      const { promise, resolve } = Promise.withResolvers<Answer>()
      waiting = { replies: [], count, resolve }
      if (text !== '') socket.write(text, 'latin1')
      return promise
    },
    put: (bytes, withinMs) => {
      if (lost !== null) return Promise.resolve()
      within(withinMs)
      const { promise, resolve } = Promise.withResolvers<void>()
      socket.write(bytes, () => {
        clearTimeout(timer)
        resolve()
      })
      return promise
    },
    clean: () => lost === null && !reader.unfinished(),
    secure,
    drop,
    lost: () => lost,
    unasked: () => unasked,
    onLost: (listener) => {
      lossListener = listener
      if (lost !== null) listener()
    },
    encrypted: () => socket instanceof tls.TLSSocket,
    loopback: () => isLoopback(socket.remoteAddress ?? ''),
  }
}

const isLoopback = (address: string): boolean => /^(?:::ffff:)?127\./.test(address) || address === '::1'

/** Opens a connection. @returns the wire, or why there is none */
export const connectWire = async (
  to: { host: string; port: number; tls: tls.ConnectionOptions | null },
  withinMs: number,
): Promise<{ wire: Wire } | { fault: string }> => {
  const peer = `${to.host}:${to.port}`
  const target = { host: to.host, port: to.port, noDelay: true }
  const socket = to.tls === null ? net.connect(target) : tls.connect({ ...to.tls, ...target })
  const fault = await whenReady(socket, to.tls === null ? 'connect' : 'secureConnect', peer, withinMs)
  return fault === null ? { wire: wireOver(socket, peer) } : { fault }
}

/** Waits until a socket is open, or its TLS. @returns why it never will be, and it is destroyed; null: it is */
const whenReady = (
  socket: net.Socket,
  event: 'connect' | 'secureConnect',
  peer: string,
  withinMs: number,
): Promise<string | null> => {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const settle = (fault: string | null): void => {
    clearTimeout(timer)
    // The error listener stays: an error nobody listens to ends the process.
    socket.removeListener('close', onClose).removeListener(event, onReady)
    if (fault !== null) socket.destroy()
    resolve(fault)
  }
  const onError = (error: Error): void => settle(event === 'connect' ? lossReason(error, peer) : tlsReason(error, peer))
  const onClose = (): void => settle(`connection closed by ${peer} before it was ready`)
  const onReady = (): void => settle(null)
  const timer = setTimeout(() => settle(`no connection with ${peer} within ${withinMs / 1000} s`), withinMs)
  timer.unref()
  socket.once('error', onError).once('close', onClose).once(event, onReady)
  return promise
}
