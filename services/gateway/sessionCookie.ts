import type { IncomingMessage } from 'node:http'

/** Over TLS the name itself makes browsers insist on TLS, this host and the whole site (RFC 6265bis §4.1.3.2). */
const cookieName = (secure: boolean): string => (secure ? '__Host-sid' : 'sid')

/** How long a browser keeps the cookie; the session itself ends when the accounts say so. */
const keptSeconds = 30 * 86_400

const attributes = (secure: boolean): string => `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

export const sessionCookie = (token: string, secure: boolean): string =>
  `${cookieName(secure)}=${token}; Max-Age=${keptSeconds}; ${attributes(secure)}`

export const endedCookie = (secure: boolean): string => `${cookieName(secure)}=; Max-Age=0; ${attributes(secure)}`

/** The session's token of a request; null: it brings none. */
export const sessionToken = (request: IncomingMessage, secure: boolean): string | null => {
  const prefix = `${cookieName(secure)}=`
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const trimmed = pair.trim()
    if (trimmed.startsWith(prefix)) return trimmed.slice(prefix.length) || null
  }
  return null
}
