import net from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { type ConnectionFacts, roundedMs, type SendPhases } from '@postrider/domain/email/conversation.ts'
import type { SmtpStep } from '@postrider/domain/email/email.ts'
import type { Refusal } from '@postrider/domain/email/transmission.ts'
import { exchange, openConnection, type SmtpConnection } from './connection.ts'
import { type Credentials, logIn } from './login.ts'
import { type ReceivedReply, replyText, smtpReply } from './reply.ts'

/** A connection that is ready for MAIL. */
export type Session = {
  connection: SmtpConnection
  /** RFC 2920: commands may be written without waiting for each reply. */
  pipelining: boolean
  /** RFC 1870: MAIL may declare the size. */
  size: boolean
  /** RFC 6531 §3.2: addresses may have characters outside ASCII. */
  smtpUtf8: boolean
  /** RFC 6152 §3: MAIL may declare an 8-bit message. */
  eightBit: boolean
  /** How the session was opened; the first message on it takes these steps. */
  steps: SmtpStep[]
  /** How long that took; null after the first message has taken it. */
  opening: SendPhases | null
  /** Where it leads and how it is encrypted. */
  facts: Omit<ConnectionFacts, 'isReused'>
  /** Transactions it has carried. */
  carried: number
  /** A transaction was abandoned before its dot: RSET must come first (RFC 5321 §4.1.1.5). */
  needsReset: boolean
}

/**
 * Failure to open a session: `reason` is for people. `mayRetryPlain`: another try without STARTTLS may succeed.
 * `refusal`: the reply that refused it.
 */
export type NoSession = {
  reason: string
  steps: SmtpStep[]
  connected: boolean
  mayRetryPlain: boolean
  refusal?: Refusal | undefined
  /** Absent: no server was connected. */
  facts?: Session['facts']
  opening?: SendPhases
}

export type SessionOptions = {
  host: string
  port: number
  secure: boolean
  /** TLS with a verified certificate is required. */
  requireTls: boolean
  /** TLS is required, and any certificate is accepted. */
  unverifiedTls: boolean
  /** Requires TLS with a verified certificate, unless the server is on this machine and offers no TLS. */
  login: Credentials | null
  ehloName: string
  tls: { rejectUnauthorized?: boolean; ca?: string }
  connectMs: number
  commandMs: number
}

type Opening = SessionOptions & { connection: SmtpConnection; steps: SmtpStep[]; useStartTls: boolean }

/**
 * Opens a connection and prepares it for MAIL. A refusal before MAIL, including the greeting (RFC 5321 §3.1: 554;
 * RFC 7504 §3: 521), refuses the connection and no recipient. It is a reason to try again, so a relay that is
 * misconfigured for an hour bounces no mail. The reply gives the class.
 */
export const openSession = async (options: SessionOptions): Promise<Session | NoSession> => {
  const first = await openOnce(options, true)
  // Opportunistic TLS that fails must not be worse than none (RFC 7435 §3).
  if ('connection' in first || !first.mayRetryPlain || isTlsRequired(options)) return first
  const second = await openOnce(options, false)
  second.steps.unshift(...first.steps)
  if (second.facts) second.facts = { ...second.facts, tlsFailure: first.reason }
  return second
}

/** A login counts too: a server that offers TLS and then fails to start it gets no login in clear (RFC 8314 §3). */
const isTlsRequired = ({ requireTls, unverifiedTls, login }: SessionOptions): boolean =>
  requireTls || unverifiedTls || login !== null

const openOnce = async (options: SessionOptions, useStartTls: boolean): Promise<Session | NoSession> => {
  const { host, port } = options
  const steps: SmtpStep[] = []
  const tls = options.secure ? tlsOptions(options) : null
  const opened = await openConnection({ host, port, tls }, options.connectMs)
  if ('fault' in opened) return { reason: opened.fault, steps, connected: false, mayRetryPlain: false }
  const { connection } = opened
  const since = performance.now()
  const prepared = await prepare({ ...options, connection, steps, useStartTls })
  const opening = openingPhases(connection, tls === null, performance.now() - since)
  if ('extensions' in prepared) return sessionOf(connection, prepared.extensions, steps, opening)
  const reason = connection.lost() === null ? `${host}:${port}: ${prepared.fault}` : prepared.fault
  const facts = connection.facts()
  connection.drop(reason)
  const mayRetryPlain = prepared.mayRetryPlain ?? false
  return { reason, steps, connected: true, mayRetryPlain, refusal: prepared.refusal, facts, opening }
}

/** @param hasStartTls whether TLS began in the time of the preparation */
const openingPhases = ({ opening }: SmtpConnection, hasStartTls: boolean, preparedMs: number): SendPhases => {
  const { connect, tls } = opening
  const ofTls = hasStartTls ? (tls ?? 0) : 0
  return {
    connect: roundedMs(connect),
    ...(tls !== undefined && { tls: roundedMs(tls) }),
    session: roundedMs(preparedMs - ofTls),
  }
}

const sessionOf = (
  connection: SmtpConnection,
  extensions: Extensions,
  steps: SmtpStep[],
  opening: SendPhases,
): Session => ({
  connection,
  opening,
  facts: connection.facts(),
  pipelining: extensions.has('PIPELINING'),
  size: extensions.has('SIZE'),
  smtpUtf8: extensions.has('SMTPUTF8'),
  eightBit: extensions.has('8BITMIME'),
  steps,
  carried: 0,
  needsReset: false,
})

/** The server's extensions: keyword to parameters, in upper case (RFC 5321 §4.1.1.1). */
type Extensions = ReadonlyMap<string, string[]>
type Refused = { fault: string; mayRetryPlain?: boolean; refusal?: Refusal }
type Prepared = { extensions: Extensions } | Refused

const prepare = async (opening: Opening): Promise<Prepared> => {
  const greeting = await send(opening, 'greeting', '')
  if (greeting?.code !== 220) return refused(opening, 'greeting', 'it refused the connection', greeting)
  const hello = await greet(opening)
  if ('fault' in hello || opening.secure) return logInTo(opening, hello)
  const secured = await startTls(opening, hello.extensions)
  return logInTo(opening, secured)
}

/** Sends EHLO, and HELO to servers that do not support it (RFC 5321 §3.2). */
const greet = async (opening: Opening): Promise<Prepared> => {
  const ehlo = await send(opening, 'EHLO', `EHLO ${opening.ehloName}`)
  if (ehlo?.code === 250) return { extensions: extensionsOf(ehlo) }
  if (ehlo === undefined || ehlo.code < 500) return refused(opening, 'ehlo', 'it refused EHLO', ehlo)
  const helo = await send(opening, 'HELO', `HELO ${opening.ehloName}`)
  return helo?.code === 250 ? { extensions: new Map() } : refused(opening, 'ehlo', 'it refused HELO', helo)
}

/** RFC 3207: after TLS has started, everything learned before is discarded and EHLO is sent again (§4.2). */
const startTls = async (opening: Opening, extensions: Extensions): Promise<Prepared> => {
  const { connection, requireTls, unverifiedTls } = opening
  const isOffered = extensions.has('STARTTLS')
  if (!isOffered && (requireTls || unverifiedTls)) return { fault: 'it offers no STARTTLS, and TLS is required' }
  if (!isOffered || !opening.useStartTls) return { extensions }
  const reply = await send(opening, 'STARTTLS', 'STARTTLS')
  if (reply?.code !== 220) {
    if (reply === undefined || isTlsRequired(opening)) return refused(opening, 'ehlo', 'it refused STARTTLS', reply)
    return { extensions }
  }
  // RFC 3207 §5: plain text after the 220 would be read as if it had arrived under TLS.
  if (!connection.isClean()) return { fault: connection.lost() ?? 'it sent plain text where TLS starts' }
  const fault = await connection.secure(tlsOptions(opening), opening.commandMs)
  return fault === null ? greet(opening) : { fault, mayRetryPlain: true }
}

const logInTo = async (opening: Opening, prepared: Prepared): Promise<Prepared> => {
  const { connection, login, steps, commandMs } = opening
  if ('fault' in prepared || login === null) return prepared
  if (!connection.isEncrypted() && !connection.isLoopback())
    return { fault: 'it offers no TLS, and a login is never sent unencrypted' }
  const failed = await logIn(connection, login, prepared.extensions.get('AUTH') ?? [], steps, commandMs)
  return failed === null ? prepared : { fault: failed.reason, ...refusalOf('auth', failed.reply) }
}

/** Sends a command. An empty one only waits for the server's greeting. */
const send = (
  { connection, steps, commandMs }: Opening,
  name: string,
  command: string,
): Promise<ReceivedReply | undefined> =>
  exchange(connection, steps, { name, command, withinMs: commandMs, ...(command === '' && { text: '' }) })

const refused = (
  { connection }: Opening,
  phase: Refusal['phase'],
  sentence: string,
  reply: ReceivedReply | undefined,
): Refused => {
  if (reply === undefined) return { fault: connection.lost() ?? sentence }
  return { fault: `${sentence}: ${replyText(reply).slice(0, 500).toWellFormed()}`, ...refusalOf(phase, reply) }
}

const refusalOf = (phase: Refusal['phase'], reply: ReceivedReply | undefined): { refusal?: Refusal } =>
  reply !== undefined && reply.code >= 400 ? { refusal: { phase, reply: smtpReply(reply) } } : {}

const extensionsOf = (reply: ReceivedReply): Extensions =>
  new Map(
    reply.lines.slice(1).map((line) => {
      const [keyword = '', ...parameters] = line
        .toUpperCase()
        .replace(/^AUTH=/, 'AUTH ')
        .trim()
        .split(/\s+/)
      return [keyword, parameters] as const
    }),
  )

/** Required TLS needs a valid certificate. Otherwise any certificate is better than no TLS (RFC 7435 §3). */
const tlsOptions = (options: SessionOptions): ConnectionOptions => {
  const { host, secure, unverifiedTls, tls } = options
  return {
    host,
    ...(net.isIP(host) === 0 ? { servername: host } : {}),
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    rejectUnauthorized: (secure || isTlsRequired(options)) && !unverifiedTls && (tls.rejectUnauthorized ?? true),
  }
}
