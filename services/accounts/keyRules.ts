import { parseTime } from '@postrider/contracts/http/times.ts'
import { textProblems } from '@postrider/domain/accounts/accountRules.ts'
import { scopes } from '@postrider/domain/accounts/apiKey.ts'
import type { Problem } from '@postrider/kit/fault.ts'
import { normaliseDomain } from '@postrider/mail/address.ts'

/** Longest name of a key, in characters. */
const longestName = 100
const mostDomains = 100

export const keyNameProblems = (name: string): Problem[] => textProblems('name', name, { max: longestName })

export const scopeProblems = (chosen: readonly string[]): Problem[] =>
  chosen.flatMap((scope, index) =>
    (scopes as readonly string[]).includes(scope)
      ? []
      : [{ path: `scopes[${index}]`, code: 'unknown_scope', message: `The scopes are ${scopes.join(', ')}.` }],
  )

/** A domain as it is compared; empty where it is none, or a single label, which nobody can own. */
export const domainName = (text: string): string => {
  const name = normaliseDomain(text)
  return name?.includes('.') ? name : ''
}

export const domainProblems = (domains: readonly string[]): Problem[] => {
  if (domains.length > mostDomains)
    return [{ path: 'domains', code: 'too_many', message: `A key has at most ${mostDomains} domains.` }]
  return domains.flatMap((domain, index) =>
    domainName(domain) === ''
      ? [{ path: `domains[${index}]`, code: 'invalid_domain', message: 'This is not a domain such as example.com.' }]
      : [],
  )
}

/** What is wrong with the end of a key's life: empty is never, otherwise a time to come. */
export const expiryProblems = (expiresAt: string, now: number): Problem[] => {
  const at = parseTime(expiresAt)
  const path = 'expires_at'
  if (expiresAt === '') return []
  if (at === null)
    return [{ path, code: 'invalid_time', message: 'This is not an RFC 3339 time such as 2030-01-31T12:00:00Z.' }]
  return at > now ? [] : [{ path, code: 'in_the_past', message: 'This time is over already.' }]
}

/** The stored end of a key's life, of what `expiryProblems` let through. */
export const expiry = (expiresAt: string): number | null => (expiresAt === '' ? null : parseTime(expiresAt))

export const unique = (values: readonly string[]): string[] => [...new Set(values)]
