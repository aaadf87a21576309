import type { SmtpStep } from '@postrider/domain/email/email.ts'
import type { Transmission } from '@postrider/domain/email/transmission.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { SmartHost } from '@postrider/mail/mailRoute.ts'
import type { Outgoing, Transport } from '@postrider/ports/transport.ts'
import { sessionPool } from './pool.ts'
import { type NoSession, openSession, type Session } from './session.ts'
import { type Transaction, type TransactionTimeouts, transact } from './transaction.ts'

/** Milliseconds. The defaults are those of RFC 5321 §4.5.3.2, but for the connection itself. */
export type SmtpTimeouts = TransactionTimeouts & {
  connectMs: number
  /** How long `close` waits for running sends before it cuts them off. */
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

export type SmtpOptions = SmartHost & {
  /** How we call ourselves in EHLO: a domain, or an address literal (RFC 5321 §4.1.4). */
  ehloName: string
  /** Most connections at once; 20. */
  connections?: number
  /** After so many a connection is closed; 1,000. */
  messagesPerConnection?: number
  /** How long a connection is kept without a message; 15 s. */
  idleMs?: number
  timeouts?: Partial<SmtpTimeouts>
  /** `ca`: PEM of authorities to trust instead of the system's. */
  tls?: { rejectUnauthorized?: boolean; ca?: string }
  log?: Pick<Log, 'warn'>
}

/**
 * Sends through one SMTP server. A connection carries one message after another; the body of each is on its way while
 * the gate is asked, and its final dot goes only once the gate is open.
 */
export const smtpTransport = (options: SmtpOptions): Transport => {
  const { host, port, secure, requireTls, ehloName, user, password, tls = {}, log } = options
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const login = user === undefined || password === undefined ? null : { user, password }
  const target = { host, port, secure, requireTls, login, ehloName, tls, ...timeouts }
  const pool = sessionPool({
    open: () => openSession(target),
    connections: options.connections ?? 20,
    messagesPerConnection: options.messagesPerConnection ?? 1_000,
    idleMs: options.idleMs ?? 15_000,
  })
  const running = new Set<Promise<Transmission>>()
  let closed = false

  const carry = async (message: Outgoing): Promise<Transmission> => {
    const steps: SmtpStep[] = []
    let session = await pool.take()
    for (;;) {
      if (!('wire' in session)) return unsent(session, message, steps)
      const { results, stale } = await carryOn(session, message, steps)
      if (!stale) return { host: `${host}:${port}`, steps, results }
      // The server closed a kept connection under us: nothing was begun, so it is no try.
      session = await pool.replace(session)
    }
  }

  const carryOn = async (session: Session, message: Outgoing, steps: SmtpStep[]): Promise<Transaction> => {
    steps.push(...session.steps.splice(0))
    let stale = false
    try {
      const transaction = await transact(session, message, steps, timeouts)
      stale = transaction.stale
      return transaction
    } finally {
      session.carried++
      if (!stale) pool.giveBack(session)
    }
  }

  const unsent = (failure: NoSession, message: Outgoing, steps: SmtpStep[]): Transmission => {
    log?.warn({ email_id: message.emailId, host, port, reason: failure.reason }, 'no SMTP session')
    const result = { kind: 'lost_before_dot' as const, reason: failure.reason }
    return {
      host: failure.connected ? `${host}:${port}` : '',
      steps: [...steps, ...failure.steps],
      results: message.to.map(() => result),
    }
  }

  return {
    mailRoute: 'smtp',
    send: (message) => {
      if (closed) return Promise.reject(new Error('the transport is closed'))
      const sending = carry(message)
      running.add(sending)
      return sending.finally(() => running.delete(sending))
    },
    close: async () => {
      closed = true
      const timer = setTimeout(() => pool.drop('we are stopping'), timeouts.closeMs)
      await Promise.allSettled(running)
      clearTimeout(timer)
      await pool.close()
    },
  }
}
