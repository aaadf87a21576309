import net from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import type { SmtpStep } from '@postrider/domain/email/email.ts'
import { type Credentials, logIn } from './login.ts'
import { type Reply, replyText } from './reply.ts'
import { smtpStep } from './step.ts'
import { connectWire, type Wire } from './wire.ts'

/** A connection that is ready for MAIL. */
export type Session = {
  wire: Wire
  /** RFC 2920: commands may be written without waiting for each reply. */
  pipelining: boolean
  /** RFC 1870: MAIL may tell the size. */
  size: boolean
  /** How it was opened; the first message on it takes them. */
  steps: SmtpStep[]
  /** Transactions it has carried. */
  carried: number
  /** A transaction was left without its dot: RSET goes first (RFC 5321 §4.1.1.5). */
  needsReset: boolean
}

/** There is no session: `reason` for people; `plain` says that another try without STARTTLS may do. */
export type NoSession = { reason: string; steps: SmtpStep[]; connected: boolean; plain: boolean }

export type SessionOptions = {
  host: string
  port: number
  secure: boolean
  requireTls: boolean
  login: Credentials | null
  ehloName: string
  tls: { rejectUnauthorized?: boolean; ca?: string }
  connectMs: number
  commandMs: number
}

type Opening = SessionOptions & { wire: Wire; steps: SmtpStep[]; startTls: boolean }

/**
 * Opens a connection and brings it to where MAIL may be said. Whatever refuses us before MAIL, the greeting too
 * (RFC 5321 §3.1: 554; RFC 7504 §3: 521), refuses this connection and no recipient: it is a reason to come again, so
 * a smart host that is set up wrongly for an hour bounces nobody's mail.
 */
export const openSession = async (options: SessionOptions): Promise<Session | NoSession> => {
  const first = await openOnce(options, true)
  // Opportunistic TLS that fails must not be worse than none (RFC 7435 §3); a login asks for more.
  if ('wire' in first || !first.plain || options.requireTls || options.login !== null) return first
  const second = await openOnce(options, false)
  second.steps.unshift(...first.steps)
  return second
}

const openOnce = async (options: SessionOptions, startTls: boolean): Promise<Session | NoSession> => {
  const steps: SmtpStep[] = []
  const tls = options.secure ? tlsOptions(options, true) : null
  const connection = await connectWire({ host: options.host, port: options.port, tls }, options.connectMs)
  if ('fault' in connection) return { reason: connection.fault, steps, connected: false, plain: false }
  const { wire } = connection
  const result = await prepare({ ...options, wire, steps, startTls })
  if ('extensions' in result) return sessionOf(wire, result.extensions, steps)
  const reason = wire.lost() === null ? `${options.host}:${options.port}: ${result.fault}` : result.fault
  wire.drop(reason)
  return { reason, steps, connected: true, plain: result.plain ?? false }
}

const sessionOf = (wire: Wire, extensions: Extensions, steps: SmtpStep[]): Session => ({
  wire,
  pipelining: extensions.has('PIPELINING'),
  size: extensions.has('SIZE'),
  steps,
  carried: 0,
  needsReset: false,
})

/** What a server offers: keyword to parameters, in upper case (RFC 5321 §4.1.1.1). */
type Extensions = ReadonlyMap<string, string[]>
type Prepared = { extensions: Extensions } | { fault: string; plain?: boolean }

const prepare = async (opening: Opening): Promise<Prepared> => {
  const greeting = await say(opening, 'greeting', '')
  if (greeting?.code !== 220) return { fault: refusal(opening, 'it does not take us', greeting) }
  const hello = await greet(opening)
  if ('fault' in hello || opening.secure) return logInTo(opening, hello)
  const secured = await startTls(opening, hello.extensions)
  return logInTo(opening, secured)
}

/** EHLO, and HELO for servers that don't know it (RFC 5321 §3.2). */
const greet = async (opening: Opening): Promise<Prepared> => {
  const ehlo = await say(opening, 'EHLO', `EHLO ${opening.ehloName}`)
  if (ehlo?.code === 250) return { extensions: extensionsOf(ehlo) }
  if (ehlo === undefined || ehlo.code < 500) return { fault: refusal(opening, 'it refused EHLO', ehlo) }
  const helo = await say(opening, 'HELO', `HELO ${opening.ehloName}`)
  return helo?.code === 250 ? { extensions: new Map() } : { fault: refusal(opening, 'it refused HELO', helo) }
}

/** RFC 3207: after TLS all that was learned is forgotten and EHLO said again (§4.2). */
const startTls = async (opening: Opening, extensions: Extensions): Promise<Prepared> => {
  const { wire, requireTls } = opening
  const offered = extensions.has('STARTTLS')
  if (!offered && requireTls) return { fault: 'it offers no STARTTLS, and TLS is required' }
  if (!offered || !opening.startTls) return { extensions }
  const reply = await say(opening, 'STARTTLS', 'STARTTLS')
  if (reply?.code !== 220) {
    if (reply === undefined || requireTls) return { fault: refusal(opening, 'it refused STARTTLS', reply) }
    return { extensions }
  }
  // RFC 3207 §5: what came in clear behind the 220 would be read as if it came under TLS.
  if (!wire.clean()) return { fault: wire.lost() ?? 'it sent data in clear where TLS begins' }
  const fault = await wire.secure(tlsOptions(opening, requireTls), opening.commandMs)
  return fault === null ? greet(opening) : { fault, plain: true }
}

const logInTo = async (opening: Opening, prepared: Prepared): Promise<Prepared> => {
  const { wire, login, steps, commandMs } = opening
  if ('fault' in prepared || login === null) return prepared
  if (!wire.encrypted() && !wire.loopback()) return { fault: 'it offers no TLS, and a login never goes in clear' }
  const fault = await logIn(wire, login, prepared.extensions.get('AUTH') ?? [], steps, commandMs)
  return fault === null ? prepared : { fault }
}

const say = async ({ wire, steps, commandMs }: Opening, name: string, command: string): Promise<Reply | undefined> => {
  const since = performance.now()
  const { replies } = await wire.ask(command === '' ? '' : `${command}\r\n`, 1, commandMs)
  steps.push(smtpStep(name, command, replies[0], since))
  return replies[0]
}

const refusal = ({ wire }: Opening, sentence: string, reply: Reply | undefined): string =>
  reply === undefined ? (wire.lost() ?? sentence) : `${sentence}: ${replyText(reply).slice(0, 500)}`

const extensionsOf = (reply: Reply): Extensions =>
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

/** Where TLS is required the certificate has to be right, else any will do: it is better than none (RFC 7435 §3). */
const tlsOptions = ({ host, tls }: SessionOptions, required: boolean): ConnectionOptions => ({
  host,
  ...(net.isIP(host) === 0 ? { servername: host } : {}),
  ...(tls.ca === undefined ? {} : { ca: tls.ca }),
  rejectUnauthorized: required && (tls.rejectUnauthorized ?? true),
})
