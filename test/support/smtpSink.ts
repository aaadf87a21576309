import { readFileSync } from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import tls from 'node:tls'
import { type SinkEvent, type SinkMessage, type SinkScript, type SinkSettings, sinkSession } from './sinkSession.ts'

export type { SinkMessage, SinkScript }

export type SinkOptions = Partial<Omit<SinkSettings, 'script' | 'key' | 'cert'>> & {
  /** 0: any free port. */
  port?: number
  host?: string
  /** TLS from the first byte. */
  secure?: boolean
  /** Certificate in test/support/tls. Default: the self-signed one. */
  certificate?: SinkCertificate
  /** Returns the action for an event; null or undefined: the usual reply. */
  script?: SinkScript
}

export type SinkCertificate = 'cert' | 'signed' | 'expired' | 'notYetValid' | 'otherHost' | 'clientOnly'

export type SinkCounts = { connections: number; open: number; messages: number; recipients: number; bytes: number }

/** An SMTP server that accepts and stores all mail, unless its script returns another action. */
export type SmtpSink = AsyncDisposable & {
  port: number
  /** Accepted messages in order; empty if `keep` is `counts`. */
  messages: SinkMessage[]
  /** Every command line with the number of its connection, logins included. */
  commands: { connection: number; line: string }[]
  counts(): SinkCounts
  /** Resolves when `count` messages have been accepted since the start. */
  taken(count: number): Promise<void>
  /** Resolves when no connection is open. */
  deserted(): Promise<void>
  reset(): void
  close(): Promise<void>
}

const file = (name: string): string => readFileSync(new URL(`./tls/${name}`, import.meta.url), 'utf8')

/** Returns the certificate of every sink: self-signed, for localhost and 127.0.0.1. Clients trust it with `ca`. */
export const sinkCertificate = (): string => file('cert.pem')

/** Returns the private key of every sink. */
export const sinkKey = (): string => file('key.pem')

/** Returns the certificate of the authority that signed every certificate of a sink except the self-signed one. */
export const sinkAuthority = (): string => file('authority.pem')

const defaults = {
  keep: 'all' as const,
  pipelining: true,
  startTls: false,
  smtpUtf8: false,
  login: null,
  mechanisms: ['PLAIN', 'LOGIN', 'CRAM-MD5'],
  maxRecipients: Number.POSITIVE_INFINITY,
  lenient: false,
}

export const smtpSink = async (options: SinkOptions = {}): Promise<SmtpSink> => {
  const { port = 0, host = '127.0.0.1', secure = false, script = null, certificate = 'cert', ...rest } = options
  const settings: SinkSettings = {
    ...defaults,
    ...rest,
    script,
    key: sinkKey(),
    cert: file(`${certificate}.pem`),
  }
  const { memory, onMessage, taken } = sinkMemory()
  const sockets = new Set<net.Socket>()
  let whenDeserted: (() => void)[] = []
  let connections = 0

  const onSocket = (socket: net.Socket): void => {
    sockets.add(socket)
    connections++
    const number = connections
    socket.on('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) for (const resolve of whenDeserted.splice(0)) resolve()
    })
    const onCommand = (line: string): void => {
      if (settings.keep === 'all') memory.commands.push({ connection: number, line })
    }
    sinkSession(socket, number, settings, { onMessage, onCommand })
  }

  const server = secure
    ? tls.createServer({ key: settings.key, cert: settings.cert }, onSocket)
    : net.createServer({ noDelay: true }, onSocket)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, 1_024, resolve))

  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return {
    port: (server.address() as AddressInfo).port,
    messages: memory.messages,
    commands: memory.commands,
    counts: () => ({ connections, open: sockets.size, ...memory.counts }),
    taken,
    deserted: () => (sockets.size === 0 ? Promise.resolve() : new Promise((resolve) => whenDeserted.push(resolve))),
    reset: () => {
      memory.messages.length = 0
      memory.commands.length = 0
      memory.counts = { messages: 0, recipients: 0, bytes: 0 }
      connections = 0
      whenDeserted = []
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

const sinkMemory = () => {
  const memory = {
    messages: [] as SinkMessage[],
    commands: [] as { connection: number; line: string }[],
    counts: { messages: 0, recipients: 0, bytes: 0 },
  }
  let waiting: { count: number; resolve(): void }[] = []
  const onMessage = (message: SinkMessage | null, recipients: number, bytes: number): void => {
    const { counts } = memory
    counts.messages++
    counts.recipients += recipients
    counts.bytes += bytes
    if (message !== null) memory.messages.push(message)
    if (waiting.length === 0) return
    for (const { count, resolve } of waiting) if (counts.messages >= count) resolve()
    waiting = waiting.filter(({ count }) => counts.messages < count)
  }
  const taken = (count: number): Promise<void> =>
    memory.counts.messages >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve }))
  return { memory, onMessage, taken }
}

/** A rule of a script, in a form that can be written as JSON. */
export type SinkRule = {
  at: SinkEvent['at']
  /** A regular expression that the command line matches. */
  match?: string
  /** The number of events that the rule applies to. */
  times?: number
  /** Applies the rule to every n-th event that it matches. */
  every?: number
  reply?: string
  delayMs?: number
  silent?: boolean
  hangUp?: 'close' | 'reset'
}

/** Returns a script that acts by the first rule that applies. */
export const sinkScript = (rules: readonly SinkRule[]): SinkScript => {
  const counted = rules.map((rule) => ({
    rule,
    pattern: rule.match === undefined ? null : RegExp(rule.match),
    seen: 0,
  }))
  return (event) => {
    for (const entry of counted) {
      const { rule, pattern } = entry
      if (rule.at !== event.at || (pattern !== null && !pattern.test(event.line))) continue
      entry.seen++
      const turn = rule.every ?? 1
      if (entry.seen % turn === 0 && entry.seen / turn <= (rule.times ?? Number.POSITIVE_INFINITY)) return rule
    }
    return null
  }
}

// Without top-level await: sinkProcess.ts imports this file, so awaiting it here would deadlock.
if (import.meta.main) void import('./sinkProcess.ts').then(({ serveSink }) => serveSink(process.argv.slice(2)))
