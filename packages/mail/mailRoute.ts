/** The SMTP server that accepts all our mail. */
export type Relay = {
  host: string
  port: number
  /** TLS from the first byte (`smtps:`). */
  secure: boolean
  /**
   * TLS with a verified certificate is required (`?tls=required`). A login requires that too, except on this machine.
   */
  requireTls: boolean
  /** TLS is required, and any certificate is accepted (`?tls=unverified`). */
  unverifiedTls?: true
  user?: string
  password?: string
}

/** Route of mail, as the operator configured it. */
export type MailRoute = { kind: 'mailbox' } | ({ kind: 'smtp' } & Relay)

/** Default ports: RFC 6409 §3.1 for `smtp:`, RFC 8314 §3.3 for `smtps:`. */
const defaultPorts = { 'smtp:': 587, 'smtps:': 465 } as const

const shape = 'mailbox:, smtp://[user:pass@]host:port[?tls=required] or smtps://[user:pass@]host:port'
const option = 'the only option is tls=required or tls=unverified'

/**
 * Parses a mail route.
 * @returns the route or a sentence about its fault; the sentence never repeats the text, which may contain a password
 */
export const parseMailRoute = (text: string): { route: MailRoute } | { fault: string } => {
  if (text === 'mailbox:') return { route: { kind: 'mailbox' } }
  if (text === 'mx:') return { fault: 'mx: is not supported yet; use mailbox:, smtp:// or smtps://' }
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')) return { fault: `expected ${shape}` }
  return smtpRoute(url, defaultPorts[url.protocol], url.protocol === 'smtps:')
}

const smtpRoute = (url: URL, defaultPort: number, secure: boolean): { route: MailRoute } | { fault: string } => {
  const fault = smtpFault(url)
  if (fault !== null) return { fault }
  const port = url.port === '' ? defaultPort : Number(url.port)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const tls = url.searchParams.get('tls')
  const server = { kind: 'smtp' as const, host, port, secure, requireTls: tls === 'required' }
  const route = tls === 'unverified' ? { ...server, unverifiedTls: true as const } : server
  if (url.username === '') return { route }
  return { route: { ...route, user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) } }
}

const smtpFault = (url: URL): string | null => {
  if (url.hostname === '') return 'the host is missing'
  // A part of an unescaped password would otherwise be logged as the host.
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(url.hostname)) return 'the host must be a name in ASCII or an IP address'
  if (url.port === '0') return 'port 0 is not a port'
  if (url.pathname !== '' && url.pathname !== '/')
    return "only ?tls=… may follow host and port; write a '/' in the user or password as %2F"
  if (url.hash !== '') return "write a '#' in the user or password as %23"
  if ((url.username === '') !== (url.password === '')) return 'set both user and password, or neither'
  if (!decodable(url.username) || !decodable(url.password)) return "write a '%' in the user or password as %25"
  if (!['', '?tls=required', '?tls=unverified'].includes(url.search)) return option
  return null
}

const decodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Formats the route for people, without its credentials. */
export const formatMailRoute = (route: MailRoute): string =>
  route.kind === 'mailbox' ? 'mailbox:' : `${route.secure ? 'smtps' : 'smtp'}://${route.host}:${route.port}`
