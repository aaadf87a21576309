import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { domainToASCII, fileURLToPath } from 'node:url'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { until } from './until.ts'

export type Received = {
  from: string
  to: string[]
  /** The message as it came, dots unstuffed. */
  raw: Buffer
  /** As an independent parser reads it. */
  mail: Email
  tls: boolean
  /** Who logged in; null: nobody. */
  user: string | null
}

/** What to answer for a recipient instead of 250. */
export type Refusal = { code: number; text: string }

export type Receiver = AsyncDisposable & {
  port: number
  /** As a route of the service. */
  route: string
  received: Received[]
  refuse(address: string, refusal: Refusal): void
  accept(address: string): void
  /** Messages that had this recipient in their envelope. */
  to(address: string): Received[]
  /** Waits for the first message to this recipient. */
  waitFor(address: string, deadlineMs?: number): Promise<Received>
  close(): Promise<void>
}

export type ReceiverOptions = {
  port?: number
  host?: string
  /** none: no STARTTLS is offered; implicit: TLS from the first byte. */
  tls?: 'none' | 'starttls' | 'implicit'
  login?: { user: string; password: string }
  smtpUtf8?: boolean
}

const refused = (refusal: Refusal): Error => Object.assign(new Error(refusal.text), { responseCode: refusal.code })

/** The library shows domains in their own script; what counts is what was said on the wire. */
const asSaid = (address: string): string => {
  const at = address.lastIndexOf('@')
  return at === -1 ? address : `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`
}

const readAll = async (stream: SMTPServerDataStream): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const asReceived = async (raw: Buffer, session: SMTPServerSession): Promise<Received> => ({
  from: session.envelope.mailFrom === false ? '' : asSaid(session.envelope.mailFrom.address),
  to: session.envelope.rcptTo.map((one) => asSaid(one.address)),
  raw,
  mail: await PostalMime.parse(raw),
  tls: session.secure,
  user: (session.user as string | undefined) ?? null,
})

const pem = (name: string): URL => new URL(`./tls/${name}`, import.meta.url)

/** File of the certificate the receiver shows: who is to trust it is told so by `NODE_EXTRA_CA_CERTS`. */
export const receiverCertificate = fileURLToPath(pem('cert.pem'))

const serverOptions = (options: ReceiverOptions): SMTPServerOptions => ({
  logger: false,
  key: readFileSync(pem('key.pem')),
  cert: readFileSync(pem('cert.pem')),
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

/** A real SMTP server that isn't ours: takes everything it isn't told to refuse, and reads it with a parser that isn't ours. */
export const startReceiver = async (options: ReceiverOptions = {}): Promise<Receiver> => {
  const received: Received[] = []
  const refusals = new Map<string, Refusal>()
  const server = new SMTPServer({
    ...serverOptions(options),
    onAuth: (auth, _session, done) => {
      const right = auth.username === options.login?.user && auth.password === options.login?.password
      return right ? done(null, { user: auth.username }) : done(refused({ code: 535, text: 'Wrong login' }))
    },
    onRcptTo: ({ address }, _session, done) => {
      const refusal = refusals.get(asSaid(address).toLowerCase())
      return refusal === undefined ? done() : done(refused(refusal))
    },
    onData: (stream, session, done) => {
      readAll(stream)
        .then((raw) => asReceived(raw, session))
        .then(
          (one) => {
            received.push(one)
            done(null, 'Taken')
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
    waitFor: (address, deadlineMs = 30_000) => until(`mail for ${address}`, () => to(address)[0], deadlineMs),
    close,
    [Symbol.asyncDispose]: close,
  }
}
