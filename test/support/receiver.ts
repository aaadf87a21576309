import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { domainToASCII, fileURLToPath } from 'node:url'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { until } from './until.ts'

export type Received = {
  from: string
  to: string[]
  /** The message as received, after removal of dot-stuffing. */
  raw: Buffer
  /** The message as an independent parser reads it. */
  mail: Email
  tls: boolean
  /** The user of the login; null without a login. */
  user: string | null
}

/** The reply instead of 250: to RCPT, or to the whole message after the final dot. */
export type Refusal = { code: number; text: string; at?: 'rcpt' | 'dot' }

export type Receiver = AsyncDisposable & {
  port: number
  /** The value of `POSTRIDER_ROUTE` that leads here. */
  route: string
  received: Received[]
  refuse(address: string, refusal: Refusal): void
  accept(address: string): void
  /** Returns the messages with this recipient in their envelope. */
  to(address: string): Received[]
  /** Waits for the first message to this recipient. */
  waitFor(address: string, deadlineMs?: number): Promise<Received>
  close(): Promise<void>
}

export type ReceiverOptions = {
  port?: number
  host?: string
  /** none: STARTTLS is not offered; implicit: TLS from the first byte. */
  tls?: 'none' | 'starttls' | 'implicit'
  /** `signed`: by the authority of the sinks. Default: the self-signed certificate. */
  certificate?: 'cert' | 'signed'
  login?: { user: string; password: string }
  smtpUtf8?: boolean
}

const refused = (refusal: Refusal): Error => Object.assign(new Error(refusal.text), { responseCode: refusal.code })

/** Converts the domain to ASCII, as the client sent it. The library converts domains to Unicode. */
const asSent = (address: string): string => {
  const at = address.lastIndexOf('@')
  return at === -1 ? address : `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`
}

const readAll = async (stream: SMTPServerDataStream): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const asReceived = async (raw: Buffer, session: SMTPServerSession): Promise<Received> => ({
  from: session.envelope.mailFrom === false ? '' : asSent(session.envelope.mailFrom.address),
  to: session.envelope.rcptTo.map((one) => asSent(one.address)),
  raw,
  mail: await PostalMime.parse(raw),
  tls: session.secure,
  user: (session.user as string | undefined) ?? null,
})

const pem = (name: string): URL => new URL(`./tls/${name}`, import.meta.url)

/** The file of the receiver's certificate. A process trusts it if `NODE_EXTRA_CA_CERTS` names the file. */
export const receiverCertificate = fileURLToPath(pem('cert.pem'))

/** The file of the authority that signed the certificate `signed`. */
export const receiverAuthority = fileURLToPath(pem('authority.pem'))

const serverOptions = (options: ReceiverOptions): SMTPServerOptions => ({
  logger: false,
  key: readFileSync(pem('key.pem')),
  cert: readFileSync(pem(`${options.certificate ?? 'cert'}.pem`)),
  closeTimeout: 500,
  disableReverseLookup: true,
  secure: options.tls === 'implicit',
  hideSMTPUTF8: options.smtpUtf8 !== true,
  maxAllowedUnauthenticatedCommands: false,
  disabledCommands: [
    ...((options.tls ?? 'none') === 'none' ? ['STARTTLS'] : []),
    ...(options.login === undefined ? ['AUTH'] : []),
  ],
})

/**
 * Starts an SMTP server of an independent library. It accepts all mail except for refused recipients, and parses it.
 */
export const startReceiver = async (options: ReceiverOptions = {}): Promise<Receiver> => {
  const received: Received[] = []
  const refusals = new Map<string, Refusal>()
  const server = new SMTPServer({
    ...serverOptions(options),
    onAuth: (auth, _session, done) => {
      const isValid = auth.username === options.login?.user && auth.password === options.login?.password
      return isValid ? done(null, { user: auth.username }) : done(refused({ code: 535, text: 'Authentication failed' }))
    },
    onRcptTo: ({ address }, _session, done) => {
      const refusal = refusals.get(asSent(address).toLowerCase())
      return refusal === undefined || refusal.at === 'dot' ? done() : done(refused(refusal))
    },
    onData: (stream, session, done) => {
      readAll(stream)
        .then((raw) => asReceived(raw, session))
        .then(
          (one) => {
            const refusal = one.to
              .map((address) => refusals.get(address.toLowerCase()))
              .find((each) => each !== undefined)
            if (refusal !== undefined) return done(refused(refusal))
            received.push(one)
            return done(null, 'Accepted')
          },
          (reason: Error) => done(reason),
        )
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, options.host ?? '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const login = options.login === undefined ? '' : `${options.login.user}:${options.login.password}@`
  const to = (address: string): Received[] =>
    received.filter((one) => one.to.some((each) => each.toLowerCase() === address.toLowerCase()))
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()))
  return {
    port,
    route: `${options.tls === 'implicit' ? 'smtps' : 'smtp'}://${login}127.0.0.1:${port}`,
    received,
    refuse: (address, refusal) => refusals.set(address.toLowerCase(), refusal),
    accept: (address) => refusals.delete(address.toLowerCase()),
    to,
    waitFor: (address, deadlineMs) => until(`mail for ${address}`, () => to(address)[0], deadlineMs),
    close,
    [Symbol.asyncDispose]: close,
  }
}
