import type net from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import tls from 'node:tls'
import { sinkLogin } from './sinkLogin.ts'

export type SinkMessage = {
  at: number
  connection: number
  from: string
  to: string[]
  /** The message without dot-stuffing; empty if only envelopes are stored. */
  raw: Buffer
  encrypted: boolean
  /** The user of the login; null without a login. */
  user: string | null
}

/** An event of a session: a command by its verb, a connection, the first bytes of a message, its final dot. */
export type SinkEvent = {
  at: 'connect' | 'EHLO' | 'HELO' | 'STARTTLS' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'RSET' | 'QUIT' | 'body' | 'dot'
  /** The command line; empty for events that are not commands. */
  line: string
  /** Connections count from 1. */
  connection: number
  from: string | null
  to: readonly string[]
}

export type SinkAction = {
  /** Replaces the usual reply, without the last CRLF. */
  reply?: string
  /** Delays the action. */
  delayMs?: number
  /** Delays the action until the promise is resolved. */
  after?: Promise<unknown>
  /** Sends no reply. */
  silent?: boolean
  /** Closes the connection, without a reply if `reply` is absent. */
  hangUp?: 'close' | 'reset'
}

export type SinkScript = (event: SinkEvent) => SinkAction | string | null | undefined

export type SinkSettings = {
  /** The parts of messages that are stored. */
  keep: 'all' | 'envelopes' | 'counts'
  pipelining: boolean
  startTls: boolean
  /** Whether the extension SMTPUTF8 is offered. */
  smtpUtf8: boolean
  /** The login that MAIL requires; null: no login is required. */
  login: { user: string; password: string } | null
  mechanisms: readonly string[]
  /** The limit of recipients per transaction. */
  maxRecipients: number
  /** Accepts CRLF, LF and CR as line ends around the final dot, as servers do that are open to smuggling. */
  lenient: boolean
  script: SinkScript | null
  key: string
  cert: string
}

type Listeners = {
  onMessage(message: SinkMessage | null, recipients: number, bytes: number): void
  onCommand(line: string): void
}

const verbs: Record<string, SinkEvent['at']> = {
  EHLO: 'EHLO',
  HELO: 'HELO',
  STAR: 'STARTTLS',
  AUTH: 'AUTH',
  MAIL: 'MAIL',
  RCPT: 'RCPT',
  DATA: 'DATA',
  RSET: 'RSET',
  QUIT: 'QUIT',
}

const empty = Buffer.alloc(0)

/** Serves one SMTP client. The replies to all commands of one chunk are sent together. */
export const sinkSession = (
  first: net.Socket,
  connection: number,
  settings: SinkSettings,
  { onMessage, onCommand }: Listeners,
): void => {
  const { script, login, keep } = settings
  let socket = first
  let pending: Buffer = empty
  let out = ''
  let busy = false
  let gone = false
  let body: SinkBody | null = null
  let from: string | null = null
  let to: string[] = []
  let user: string | null = null
  let exchange: ((line: string) => string) | null = null

  const flush = (): void => {
    if (out !== '' && !gone) socket.write(out, 'latin1')
    out = ''
  }

  const hangUp = (how: 'close' | 'reset'): void => {
    flush()
    gone = true
    if (how === 'close') socket.end()
    else first.resetAndDestroy()
  }

  /** Sends the script's reply or else the usual one, and calls `then` with it to change the state. */
  const answer = (at: SinkEvent['at'], line: string, usual: string, then: (reply: string) => void): void => {
    const scripted = script?.({ at, line, connection, from, to }) ?? {}
    const action = typeof scripted === 'string' ? { reply: scripted } : scripted
    const reply = action.reply ?? usual
    const mute = action.silent || (action.hangUp !== undefined && action.reply === undefined) || reply === ''
    const act = (): void => {
      if (!mute) out += `${reply}\r\n`
      then(reply)
      if (action.hangUp !== undefined) hangUp(action.hangUp)
    }
    if (action.after !== undefined) later(action.after, act)
    else if (action.delayMs === undefined) act()
    else later(pause(action.delayMs), act)
  }

  const later = (when: Promise<unknown>, act: () => void): void => {
    busy = true
    void when.then(() => {
      busy = false
      act()
      work()
    })
  }

  const resetTransaction = (): void => {
    from = null
    to = []
  }

  const secure = (): void => {
    flush()
    busy = true
    pending = empty
    first.removeListener('data', feed)
    socket = new tls.TLSSocket(first, { isServer: true, key: settings.key, cert: settings.cert })
    socket.on('data', feed).on('error', () => socket.destroy())
    busy = false
    user = null
  }

  const extensions = (): string => {
    const encrypted = socket instanceof tls.TLSSocket
    const lines = [
      'sink.test',
      'SIZE 52428800',
      '8BITMIME',
      ...(settings.smtpUtf8 ? ['SMTPUTF8'] : []),
      ...(settings.pipelining ? ['PIPELINING'] : []),
      ...(settings.startTls && !encrypted ? ['STARTTLS'] : []),
      ...(login === null ? [] : [`AUTH ${settings.mechanisms.join(' ')}`]),
      'ENHANCEDSTATUSCODES',
    ]
    return lines.map((line, n) => `250${n < lines.length - 1 ? '-' : ' '}${line}`).join('\r\n')
  }

  const isPositive = (reply: string): boolean => reply.startsWith('2')

  const commands: Record<Exclude<SinkEvent['at'], 'connect' | 'body' | 'dot'>, (line: string) => void> = {
    EHLO: (line) => answer('EHLO', line, extensions(), resetTransaction),
    HELO: (line) => answer('HELO', line, '250 sink.test', resetTransaction),
    STARTTLS: (line) =>
      answer('STARTTLS', line, '220 2.0.0 Go ahead', (reply) => {
        if (reply.startsWith('220')) secure()
      }),
    AUTH: (line) => {
      const begun = login === null ? null : sinkLogin(login, line)
      exchange = begun?.next ?? null
      answer('AUTH', line, begun?.reply ?? '503 5.5.1 AUTH not available', (reply) => {
        if (reply.startsWith('235')) user = login?.user ?? null
      })
    },
    MAIL: (line) => {
      const usual = login !== null && user === null ? '530 5.7.0 Log in first' : '250 2.1.0 Ok'
      const nested = from === null ? usual : '503 5.5.1 Nested MAIL command'
      answer('MAIL', line, nested, (reply) => {
        if (isPositive(reply)) from = addressIn(line)
      })
    },
    RCPT: (line) => {
      const full = to.length >= settings.maxRecipients ? '452 4.5.3 Too many recipients' : '250 2.1.5 Ok'
      answer('RCPT', line, from === null ? '503 5.5.1 MAIL first' : full, (reply) => {
        if (isPositive(reply)) to.push(addressIn(line))
      })
    },
    DATA: (line) =>
      answer('DATA', line, to.length === 0 ? '554 5.5.1 No valid recipients' : '354 End with a dot', (reply) => {
        if (reply.startsWith('354')) body = sinkBody(settings.lenient)
      }),
    RSET: (line) => answer('RSET', line, '250 2.0.0 Ok', resetTransaction),
    QUIT: (line) => answer('QUIT', line, '221 2.0.0 Bye', () => hangUp('close')),
  }

  const onDot = (ended: SinkBody): void => {
    const envelope = { from: from ?? '', to }
    answer('dot', '', '250 2.0.0 Ok', (reply) => {
      if (isPositive(reply)) {
        const raw = keep === 'all' ? ended.content() : empty
        const encrypted = socket instanceof tls.TLSSocket
        const message = keep === 'counts' ? null : { at: Date.now(), connection, ...envelope, raw, encrypted, user }
        onMessage(message, envelope.to.length, ended.size())
      }
      resetTransaction()
    })
  }

  const onLine = (line: string): void => {
    onCommand(line)
    if (exchange !== null) {
      const reply = exchange(line)
      if (!reply.startsWith('334')) exchange = null
      if (reply.startsWith('235')) user = login?.user ?? null
      out += `${reply}\r\n`
      return
    }
    const verb = verbs[line.slice(0, 4).toUpperCase()]
    if (verb === undefined) out += '500 5.5.2 Unknown command\r\n'
    else commands[verb as keyof typeof commands](line)
  }

  const work = (): void => {
    let at = 0
    while (!busy && !gone && at < pending.length) {
      if (body !== null) {
        if (body.size() === 0) {
          answer('body', '', '', () => {})
          if (gone) break
        }
        const end = body.add(pending, at)
        if (end === -1) {
          at = pending.length
          break
        }
        const ended = body
        body = null
        at = end
        onDot(ended)
      } else {
        const end = pending.indexOf(0x0a, at)
        if (end === -1) break
        const line = pending.toString('latin1', at, pending[end - 1] === 0x0d ? end - 1 : end)
        at = end + 1
        onLine(line)
      }
    }
    pending = at < pending.length ? pending.subarray(at) : empty
    flush()
  }

  const feed = (chunk: Buffer): void => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    if (!busy) work()
  }

  socket.on('data', feed).on('error', () => socket.destroy())
  answer('connect', '', '220 sink.test ESMTP', () => {})
  flush()
}

/** @param line one character per byte; the address is UTF-8 */
const addressIn = (line: string): string => Buffer.from(/<([^>]*)>/.exec(line)?.[1] ?? '', 'latin1').toString('utf8')

type SinkBody = {
  /** Adds the bytes from `start` on. Returns the index after the final dot, or -1 if the message continues. */
  add(data: Buffer, start: number): number
  size(): number
  content(): Buffer
}

const finalDot = Buffer.from('\r\n.\r\n')
const anyFinalDot = /(?:\r\n|\r|\n)\.(?:\r\n|\r|\n)/

const sinkBody = (lenient: boolean): SinkBody => {
  const chunks: Buffer[] = []
  let size = 0
  // The CRLF of DATA counts as the one before the dot (RFC 5321 §4.1.1.4).
  let tail: Buffer = Buffer.from('\r\n')

  const findStrict = (data: Buffer, start: number): number => {
    const seam = Buffer.concat([tail, data.subarray(start, start + 4)]).indexOf(finalDot)
    if (seam !== -1) return start + seam + 5 - tail.length
    const at = data.indexOf(finalDot, start)
    return at === -1 ? -1 : at + 5
  }
  const findLenient = (data: Buffer, start: number): number => {
    const before = Buffer.concat([Buffer.from('\r\n'), ...chunks]).toString('latin1')
    const match = anyFinalDot.exec(before + data.toString('latin1', start))
    return match === null ? -1 : start + match.index + match[0].length - before.length
  }

  return {
    add: (data, start) => {
      const end = lenient ? findLenient(data, start) : findStrict(data, start)
      const piece = data.subarray(start, end === -1 ? data.length : end)
      chunks.push(piece)
      size += piece.length
      tail = piece.length >= 4 ? piece.subarray(-4) : Buffer.concat([tail, piece]).subarray(-4)
      return end
    },
    size: () => size,
    content: () => {
      const all = Buffer.concat(chunks).toString('latin1')
      const text = all.replace(/\.(?:\r\n|\r|\n)$/, '').replace(lenient ? /(^)\./gm : /(^|\r\n)\./g, '$1')
      return Buffer.from(text, 'latin1')
    },
  }
}
