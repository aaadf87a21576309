import type net from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import tls from 'node:tls'
import { sinkLogin } from './sinkLogin.ts'

export type SinkMessage = {
  at: number
  connection: number
  from: string
  to: string[]
  /** As it was before dot-stuffing; empty where only envelopes are kept. */
  raw: Buffer
  encrypted: boolean
  /** Who logged in; null: nobody. */
  user: string | null
}

/** What has come: a command by its verb, a connection, the first bytes of a message, its final dot. */
export type SinkEvent = {
  at: 'connect' | 'EHLO' | 'HELO' | 'STARTTLS' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'RSET' | 'QUIT' | 'body' | 'dot'
  /** The command line; empty where it is none. */
  line: string
  /** Connections count from 1. */
  connection: number
  from: string | null
  to: readonly string[]
}

/**
 * `reply`: instead of the usual one, without the last CRLF. `hangUp` without `reply`, and `silent`: no reply. `delayMs`,
 * `after`: acts so much later, or once the promise is resolved.
 */
export type SinkAction = {
  reply?: string
  delayMs?: number
  after?: Promise<unknown>
  silent?: boolean
  hangUp?: 'close' | 'reset'
}

export type SinkScript = (event: SinkEvent) => SinkAction | string | null | undefined

export type SinkSettings = {
  /** What is remembered of messages. */
  keep: 'all' | 'envelopes' | 'counts'
  pipelining: boolean
  startTls: boolean
  /** Who may send; null: everybody, without a login. */
  login: { user: string; password: string } | null
  mechanisms: readonly string[]
  /** In one transaction. */
  maxRecipients: number
  /** Takes any of CRLF, LF and CR for a line end around the final dot, as servers open to smuggling do. */
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

const nothing = Buffer.alloc(0)

/** Speaks SMTP with one client; all replies to what came in one piece leave in one piece. */
export const sinkSession = (
  first: net.Socket,
  connection: number,
  settings: SinkSettings,
  { onMessage, onCommand }: Listeners,
): void => {
  const { script, login, keep } = settings
  let socket = first
  let pending: Buffer = nothing
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

  /** Answers with the usual reply or the script's; `then` is told which, and may change the state by it. */
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

  const forget = (): void => {
    from = null
    to = []
  }

  const secure = (): void => {
    flush()
    busy = true
    pending = nothing
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
      ...(settings.pipelining ? ['PIPELINING'] : []),
      ...(settings.startTls && !encrypted ? ['STARTTLS'] : []),
      ...(login === null ? [] : [`AUTH ${settings.mechanisms.join(' ')}`]),
      'ENHANCEDSTATUSCODES',
    ]
    return lines.map((line, n) => `250${n < lines.length - 1 ? '-' : ' '}${line}`).join('\r\n')
  }

  const isYes = (reply: string): boolean => reply.startsWith('2')

  const commands: Record<Exclude<SinkEvent['at'], 'connect' | 'body' | 'dot'>, (line: string) => void> = {
    EHLO: (line) => answer('EHLO', line, extensions(), forget),
    HELO: (line) => answer('HELO', line, '250 sink.test', forget),
    STARTTLS: (line) =>
      answer('STARTTLS', line, '220 2.0.0 Go ahead', (reply) => {
        if (reply.startsWith('220')) secure()
      }),
    AUTH: (line) => {
      const begun = login === null ? null : sinkLogin(login, line)
      exchange = begun?.next ?? null
      answer('AUTH', line, begun?.reply ?? '503 5.5.1 No login here', (reply) => {
        if (reply.startsWith('235')) user = login?.user ?? null
      })
    },
    MAIL: (line) => {
      const usual = login !== null && user === null ? '530 5.7.0 Log in first' : '250 2.1.0 Ok'
      const nested = from === null ? usual : '503 5.5.1 Nested MAIL command'
      answer('MAIL', line, nested, (reply) => {
        if (isYes(reply)) from = addressIn(line)
      })
    },
    RCPT: (line) => {
      const full = to.length >= settings.maxRecipients ? '452 4.5.3 Too many recipients' : '250 2.1.5 Ok'
      answer('RCPT', line, from === null ? '503 5.5.1 MAIL first' : full, (reply) => {
        if (isYes(reply)) to.push(addressIn(line))
      })
    },
    DATA: (line) =>
      answer('DATA', line, to.length === 0 ? '554 5.5.1 No valid recipients' : '354 End with a dot', (reply) => {
        if (reply.startsWith('354')) body = sinkBody(settings.lenient)
      }),
    RSET: (line) => answer('RSET', line, '250 2.0.0 Ok', forget),
    QUIT: (line) => answer('QUIT', line, '221 2.0.0 Bye', () => hangUp('close')),
  }

  const onDot = (ended: SinkBody): void => {
    const envelope = { from: from ?? '', to }
    answer('dot', '', '250 2.0.0 Ok', (reply) => {
      if (isYes(reply)) {
        const raw = keep === 'all' ? ended.content() : nothing
        const encrypted = socket instanceof tls.TLSSocket
        const message = keep === 'counts' ? null : { at: Date.now(), connection, ...envelope, raw, encrypted, user }
        onMessage(message, envelope.to.length, ended.size())
      }
      forget()
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
    if (verb === undefined) out += '500 5.5.2 What?\r\n'
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
        const end = body.take(pending, at)
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
    pending = at < pending.length ? pending.subarray(at) : nothing
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

const addressIn = (line: string): string => /<([^>]*)>/.exec(line)?.[1] ?? ''

type SinkBody = {
  /** Takes the message's bytes from `start` on. @returns where what follows its final dot begins; -1: it goes on */
  take(data: Buffer, start: number): number
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
    take: (data, start) => {
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
