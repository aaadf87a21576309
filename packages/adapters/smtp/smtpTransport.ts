import { roundedMs, type SendPhases } from '@postrider/domain/email/conversation.ts'
import type { SmtpStep } from '@postrider/domain/email/email.ts'
import type { Transmission } from '@postrider/domain/email/transmission.ts'
import type { Log } from '@postrider/kit/log.ts'
import { runningWork } from '@postrider/kit/runningWork.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import type { Relay } from '@postrider/mail/mailRoute.ts'
import type { Outgoing, Transport } from '@postrider/ports/transport.ts'
import type { TransactionTimeouts } from './envelope.ts'
import { withoutSmtpUtf8 } from './international.ts'
import { withoutLoginName } from './loginName.ts'
import { type Pool, sessionPool } from './pool.ts'
import { type NoSession, openSession, type Session } from './session.ts'
import { type Transaction, type TransactOptions, transact } from './transaction.ts'

/*
 * The SMTP client.
 *
 *   smtpTransport  takes a connection of the pool for each message, and another if it was closed while it was idle
 *   pool           opens, reuses and closes connections; messages that find none free wait in line
 *   session        one connection up to MAIL: greeting, EHLO, STARTTLS, login (login.ts); which extensions there are
 *   connection     the socket, with or without TLS; connectionErrors.ts has texts for its errors
 *   reply          reads replies from bytes, and shortens them for the record
 *   transaction    one message: envelope, body, gate, final dot. envelope.ts has MAIL, RCPT and DATA, in one round trip
 *                  or command by command, and the results of the recipients
 *   international  leaves out recipients that a relay without SMTPUTF8 cannot have
 *   loginName      hides the user name of the relay in what tenants read
 *
 * Replies are classified elsewhere: packages/mail/replies/replies.ts.
 */

/** Milliseconds. The defaults are those of RFC 5321 §4.5.3.2, except for the connection itself. */
export type SmtpTimeouts = TransactionTimeouts & {
  connectMs: number
  /** How long `close` waits for running sends before it ends them. */
  closeMs: number
}

const defaultTimeouts: SmtpTimeouts = {
  connectMs: 30_000,
  commandMs: 300_000,
  dataMs: 120_000,
  blockMs: 180_000,
  dotMs: 600_000,
  closeMs: 30_000,
}

export type SmtpOptions = Relay & {
  /** Our name in EHLO: a domain, or an address literal (RFC 5321 §4.1.4). */
  ehloName: string
  /** Maximum number of connections at the same time; 20 by default. */
  connections?: number
  /** Maximum number of messages of a connection; 1,000 by default. */
  messagesPerConnection?: number
  /** Time limit of an unused connection; 15 s by default. */
  idleMs?: number
  timeouts?: Partial<SmtpTimeouts>
  /** `ca`: PEM of authorities to trust instead of the system's. */
  tls?: { rejectUnauthorized?: boolean; ca?: string }
  log?: Pick<Log, 'warn'>
  /** The runner of the process; one of its own by default. */
  slices?: Pick<Slices, 'of'>
}

/**
 * Sends through one SMTP server. A connection carries one message after another. The body of a message is written while
 * its gate is called, and the final dot is sent only after the gate has opened.
 */
export const smtpTransport = (options: SmtpOptions): Transport => {
  const { host, port, secure, requireTls, unverifiedTls = false, ehloName, user, password, tls = {} } = options
  const { slices = makeSlices() } = options
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const login = user === undefined || password === undefined ? null : { user, password }
  const target = { host, port, secure, requireTls, unverifiedTls, login, ehloName, tls, ...timeouts }
  const pool = sessionPool({
    open: () => openSession(target),
    connections: options.connections ?? 20,
    messagesPerConnection: options.messagesPerConnection ?? 1_000,
    idleMs: options.idleMs ?? 15_000,
  })
  const running = runningWork()
  const hidden = withoutLoginName(login?.user)
  let isClosed = false

  return {
    mailRoute: 'smtp',
    readsMessage: true,
    send: (message) => {
      if (isClosed) return Promise.reject(new Error('the transport is closed'))
      const sending = carry(options, pool, { timeouts, slices }, message)
      return running.track(sending.then((sent) => hidden(sent, message)))
    },
    close: async () => {
      isClosed = true
      const timer = setTimeout(() => pool.drop('the process is stopping'), timeouts.closeMs)
      await running.ended()
      clearTimeout(timer)
      await pool.close()
    },
  }
}

const carry = async (
  options: SmtpOptions,
  pool: Pool,
  how: TransactOptions,
  message: Outgoing,
): Promise<Transmission> => {
  const steps: SmtpStep[] = []
  const since = performance.now()
  let session = await pool.acquire()
  for (;;) {
    if (!('connection' in session)) return notSent(options, session, message, steps)
    const opening = { ...waitPhase(performance.now() - since, session.opening), ...session.opening }
    const connection = { ...session.facts, isReused: session.opening === null }
    session.opening = null
    const { results, isStale, phases } = await carryOn(session, pool, how, message, steps)
    if (!isStale) {
      const host = `${options.host}:${options.port}`
      return { host, steps, results, connection, phases: { ...opening, ...phases } }
    }
    // The server closed an idle connection before the transaction began, so this is no try.
    session = await pool.replace(session)
  }
}

/** Shorter waits are not recorded. */
const minWaitMs = 1

/** Returns how long the message waited for a session before one was opened for it. */
const waitPhase = (tookMs: number, opening: SendPhases | null): SendPhases => {
  const openedInMs = Object.values(opening ?? {}).reduce((sum, ms) => sum + ms, 0)
  const waitedMs = tookMs - openedInMs
  return waitedMs < minWaitMs ? {} : { wait: roundedMs(waitedMs) }
}

const carryOn = async (
  session: Session,
  pool: Pool,
  how: TransactOptions,
  message: Outgoing,
  steps: SmtpStep[],
): Promise<Transaction> => {
  steps.push(...session.steps.splice(0))
  const carriable = session.smtpUtf8 ? null : withoutSmtpUtf8(message)
  let isStale = false
  try {
    if (carriable?.message === null) return { results: carriable.complete([]), isStale, phases: {} }
    const transaction = await transact(session, carriable?.message ?? message, steps, how)
    isStale = transaction.isStale
    return { ...transaction, results: carriable?.complete(transaction.results) ?? transaction.results }
  } finally {
    session.carried++
    if (!isStale) pool.release(session)
  }
}

const notSent = (
  { host, port, log }: SmtpOptions,
  { reason, connected, steps: opening, refusal, facts, opening: phases }: NoSession,
  message: Outgoing,
  steps: SmtpStep[],
): Transmission => {
  log?.warn({ email_id: message.emailId, host, port, reason }, 'cannot open SMTP session')
  const result = { kind: 'lost_before_dot' as const, reason, ...(refusal && { refusal }) }
  return {
    host: connected ? `${host}:${port}` : '',
    steps: [...steps, ...opening],
    results: message.to.map(() => result),
    ...(facts && { connection: { ...facts, isReused: false } }),
    ...(phases && { phases }),
  }
}
