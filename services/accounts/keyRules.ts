import { domainToASCII } from 'node:url'
import { scopes } from '@postrider/contracts/apiKey.ts'
import type { Problem } from '@postrider/kit/fault.ts'
import { parseTime, textProblems } from './checks.ts'

/** Longest name of a key, in characters. */
const longestName = 100
const mostDomains = 100

export const keyNameProblems = (name: string): Problem[] => textProblems('name', name, { max: longestName })

export const scopeProblems = (chosen: readonly string[]): Problem[] =>
  chosen.flatMap((scope, index) =>
    (scopes as readonly string[]).includes(scope)
      ? []
      : [{ path: `scopes[${index}]`, code: 'unknown_scope', message: `must be one of ${scopes.join(', ')}` }],
  )

const hostname = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** A domain as it is compared: A-labels in lower case; empty where it is none. */
export const domainName = (text: string): string => {
  const ascii = text.length > 253 ? '' : domainToASCII(text)
  return hostname.test(ascii) ? ascii : ''
}

export const domainProblems = (domains: readonly string[]): Problem[] => {
  if (domains.length > mostDomains)
    return [{ path: 'domains', code: 'too_many', message: `must not have over ${mostDomains} entries` }]
  return domains.flatMap((domain, index) =>
    domainName(domain) === ''
      ? [{ path: `domains[${index}]`, code: 'invalid_domain', message: 'must be a domain such as example.com' }]
      : [],
  )
}

/** What is wrong with the end of a key's life: empty is never, otherwise a time to come. */
export const expiryProblems = (expiresAt: string, now: number): Problem[] => {
  const at = parseTime(expiresAt)
  const path = 'expires_at'
  if (expiresAt === '') return []
  if (at === null)
    return [{ path, code: 'invalid_time', message: 'must be an RFC 3339 time such as 2030-01-31T12:00:00Z' }]
  return at > now ? [] : [{ path, code: 'in_the_past', message: 'must be in the future' }]
}

/** The stored end of a key's life, of what `expiryProblems` let through. */
export const expiry = (expiresAt: string): number | null => (expiresAt === '' ? null : parseTime(expiresAt))

export const unique = (values: readonly string[]): string[] => [...new Set(values)]
