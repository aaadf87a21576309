import net from 'node:net'
import tls from 'node:tls'
import type { ConnectionFacts, TlsFacts } from '@postrider/domain/email/conversation.ts'
import type { SmtpStep } from '@postrider/domain/email/email.ts'
import { isLoopbackAddress } from '@postrider/domain/network.ts'
import { codeOf, lossReason, tlsReason } from './connectionErrors.ts'
import { type ReceivedReply, replyReader, replyText, smtpStep } from './reply.ts'

/** The replies that arrived before all were there or the connection was lost; `lost` is the reason for the latter. */
export type Replies = { replies: ReceivedReply[]; lost: string | null }

/** A connection to an SMTP server. Nothing here throws or rejects: a loss is a result. */
export type SmtpConnection = {
  /** Writes text and waits for `count` replies. A 421 is the last reply of any connection (RFC 5321 §3.8). */
  send(text: string, count: number, withinMs: number): Promise<Replies>
  /** Writes bytes that get no reply. Resolves when the kernel has them all, or when the connection is lost. */
  write(bytes: Uint8Array, withinMs: number): Promise<void>
  /** Whether the connection is open and nothing has arrived after the awaited replies. */
  isClean(): boolean
  /** Reads what has arrived, although no reply is awaited. A reply, or a part of one, ends the connection. */
  checkSilence(): Promise<void>
  /** Starts TLS on the connection. @returns the reason for a failure; null when it is secured */
  secure(options: tls.ConnectionOptions, withinMs: number): Promise<string | null>
  /** Ends the connection immediately. */
  drop(reason: string): void
  /** Returns why the connection is gone; null while it is open. */
  lost(): string | null
  /** Returns the reply that arrived when none was expected, if any: the connection was dropped for it. */
  unexpectedReply(): ReceivedReply | null
  /** Calls back once when the connection is gone. */
  onLost(listener: () => void): void
  isEncrypted(): boolean
  isLoopback(): boolean
  /** Returns where it leads and how it is encrypted, as an attempt records it. */
  facts(): Pick<ConnectionFacts, 'address' | 'tls'>
  /** Milliseconds until it was open, and until TLS was: absent without TLS. */
  readonly opening: { connect: number; tls?: number }
}

/** @param peer `host:port`, for the reasons that people read */
const smtpConnection = (first: net.Socket, peer: string, opening: SmtpConnection['opening']): SmtpConnection => {
  let socket = first
  let lost: string | null = null
  let unexpected: ReceivedReply | null = null
  let lossListener = (): void => {}
  const expected = expectedReplies()

  const end = (): void => {
    silence.end()
    expected.end(lost)
  }
  const drop = (reason: string): void => {
    if (lost !== null) return
    lost = reason
    socket.destroy()
    end()
    lossListener()
  }
  const silence = silenceTimer((ms) => drop(`no reply from ${peer} within ${ms / 1000} s`))
  const onReply = (reply: ReceivedReply): void => {
    if (lost !== null) return
    if (!expected.add(reply)) unexpected = reply
    if (unexpected !== null || reply.code === 421) drop(`${peer} closed the session: ${replyText(reply)}`)
    else if (expected.isComplete()) end()
  }
  const reader = replyReader(onReply)
  const onData = (chunk: Buffer): void => {
    const fault = reader.feed(chunk, performance.now())
    if (fault !== null) drop(`${peer} does not speak SMTP: ${fault}`)
  }
  /** The rest of a reply that began early must not be read as the reply to the next command. */
  const dropUnfinished = (): void => {
    if (reader.isUnfinished()) drop(`${peer} sent a part of a reply that was not awaited`)
  }
  const onError = (error: Error): void => drop(lossReason(error, peer))
  const onClose = (): void => drop(`connection closed by ${peer}`)
  const listen = (): void => void socket.on('data', onData).on('error', onError).on('end', onClose).on('close', onClose)
  listen()

  return {
    send: (text, count, withinMs) => {
      if (text !== '') dropUnfinished()
      if (lost !== null) return Promise.resolve({ replies: [], lost })
      silence.start(withinMs)
      const replies = expected.expect(count)
      if (text !== '') socket.write(text, 'utf8')
      return replies
    },
    write: async (bytes, withinMs) => {
      if (lost !== null) return
      silence.start(withinMs)
      await written(socket, bytes)
      silence.end()
    },
    isClean: () => lost === null && !reader.isUnfinished(),
    checkSilence: () => afterNextRead().then(dropUnfinished),
    secure: async (options, withinMs) => {
      if (lost !== null) return lost
      socket.removeListener('data', onData).removeListener('end', onClose).removeListener('close', onClose)
      socket = tls.connect({ ...options, socket: first })
      const since = performance.now()
      const fault = await whenReady(socket, 'secureConnect', peer, withinMs)
      opening.tls = performance.now() - since
      if (fault === null) listen()
      else drop(fault)
      return fault
    },
    drop,
    lost: () => lost,
    unexpectedReply: () => unexpected,
    onLost: (listener) => {
      lossListener = listener
      if (lost !== null) listener()
    },
    isEncrypted: () => socket instanceof tls.TLSSocket,
    isLoopback: () => isLoopbackAddress(socket.remoteAddress ?? ''),
    facts: () => connectionFacts(socket, lost === null),
    opening,
  }
}

const written = (socket: net.Socket, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve) => socket.write(bytes, () => resolve()))

/** Waits for two iterations: the rest of the current one reads only what had arrived before it began. */
const afterNextRead = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

/** A timer that starts again with each wait. */
const silenceTimer = (onSilent: (ms: number) => void) => {
  let timer: NodeJS.Timeout | undefined
  return {
    start: (ms: number): void => {
      clearTimeout(timer)
      timer = setTimeout(() => onSilent(ms), ms)
      timer.unref()
    },
    end: (): void => clearTimeout(timer),
  }
}

const connectionFacts = (socket: net.Socket, isOpen: boolean): Pick<ConnectionFacts, 'address' | 'tls'> => ({
  address: socket.remoteAddress ?? null,
  tls: socket instanceof tls.TLSSocket && isOpen ? tlsFacts(socket) : null,
})

const tlsFacts = (socket: tls.TLSSocket): TlsFacts => {
  const { authorizationError: problem } = socket as { authorizationError?: Error | string | null }
  return {
    version: socket.getProtocol() ?? '',
    cipher: socket.getCipher()?.standardName ?? '',
    problem: socket.authorized ? null : problem instanceof Error ? codeOf(problem) : String(problem ?? 'unknown'),
  }
}

/** Collects the replies that one caller waits for. */
const expectedReplies = () => {
  let waiter: { replies: ReceivedReply[]; count: number; resolve(result: Replies): void } | null = null
  return {
    expect: (count: number): Promise<Replies> => {
      const { promise, resolve } = Promise.withResolvers<Replies>()
      waiter = { replies: [], count, resolve }
      return promise
    },
    /** @returns false when no reply is expected */
    add: (reply: ReceivedReply): boolean => {
      waiter?.replies.push(reply)
      return waiter !== null
    },
    isComplete: (): boolean => waiter?.replies.length === waiter?.count,
    end: (lost: string | null): void => {
      const ended = waiter
      waiter = null
      ended?.resolve({ replies: ended.replies, lost })
    },
  }
}

/** Opens a connection. @returns the connection, or the reason why there is none */
export const openConnection = async (
  to: { host: string; port: number; tls: tls.ConnectionOptions | null },
  withinMs: number,
): Promise<{ connection: SmtpConnection } | { fault: string }> => {
  const peer = `${to.host}:${to.port}`
  const target = { host: to.host, port: to.port, noDelay: true }
  const socket = to.tls === null ? net.connect(target) : tls.connect({ ...to.tls, ...target })
  const since = performance.now()
  let connectedAt = since
  socket.once('connect', () => {
    connectedAt = performance.now()
  })
  const fault = await whenReady(socket, to.tls === null ? 'connect' : 'secureConnect', peer, withinMs)
  if (fault !== null) return { fault }
  const connect = connectedAt - since
  const opening = to.tls === null ? { connect } : { connect, tls: performance.now() - connectedAt }
  return { connection: smtpConnection(socket, peer, opening) }
}

/**
 * Waits until a socket or its TLS is open.
 * @returns the reason when it failed and was destroyed; null when it is open
 */
const whenReady = (
  socket: net.Socket,
  event: 'connect' | 'secureConnect',
  peer: string,
  withinMs: number,
): Promise<string | null> => {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const end = (fault: string | null): void => {
    clearTimeout(timer)
    // The error listener stays, because an error without a listener ends the process.
    socket.removeListener('close', onClose).removeListener(event, onReady)
    if (fault !== null) socket.destroy()
    resolve(fault)
  }
  const onError = (error: Error): void => end(event === 'connect' ? lossReason(error, peer) : tlsReason(error, peer))
  const onClose = (): void => end(`connection closed by ${peer} before it was ready`)
  const onReady = (): void => end(null)
  const timer = setTimeout(() => end(`no connection to ${peer} within ${withinMs / 1000} s`), withinMs)
  timer.unref()
  socket.once('error', onError).once('close', onClose).once(event, onReady)
  return promise
}

export type ExchangeOptions = {
  name: string
  /** The command as the step shows it. */
  command: string
  /** The text to write; the command and CRLF by default. */
  text?: string
  withinMs: number
  /** Removes secrets from the reply before the step shows it. */
  redact?: (text: string) => string
}

/** Sends one command, waits for its reply and records both as a step. @returns undefined when no reply arrived */
export const exchange = async (
  connection: SmtpConnection,
  steps: SmtpStep[],
  { name, command, text = `${command}\r\n`, withinMs, redact }: ExchangeOptions,
): Promise<ReceivedReply | undefined> => {
  const since = performance.now()
  const [reply] = (await connection.send(text, 1, withinMs)).replies
  const shown = reply && redact ? { ...reply, lines: reply.lines.map(redact) } : reply
  steps.push(smtpStep(name, command, shown, since))
  return reply
}
