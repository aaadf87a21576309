import { parseNetwork, unmapAddress } from '../network.ts'
import { notSupportedUnless } from '../notSupported.ts'
import { parseTime } from '../time.ts'
import { keyModes, scopes } from './apiKey.ts'
import { type Problem, textProblems } from './textRules.ts'

/** What an API key may have. Each function returns the problems of one field; the service refuses all of them at once. */

/** Longest name of a key, in characters. */
const longestName = 100
const mostNetworks = 50

const problemOfEach = (
  path: string,
  values: readonly string[],
  problem: (value: string) => Omit<Problem, 'path'> | null,
): Problem[] =>
  values.flatMap((value, index) => {
    const found = problem(value)
    return found === null ? [] : [{ path: `${path}[${index}]`, ...found }]
  })

const tooMany = (path: string, most: number): Problem[] => [
  { path, code: 'too_many', message: `At most ${most} ${path} are allowed.` },
]

export const keyNameProblems = (name: string): Problem[] => textProblems('name', name, { max: longestName })

export const keyModeProblems = (mode: string): Problem[] =>
  (keyModes as readonly string[]).includes(mode)
    ? []
    : [{ path: 'mode', code: 'invalid_value', message: 'Must be "live" or "test".' }]

export const scopeProblems = (chosen: readonly string[]): Problem[] =>
  problemOfEach('scopes', chosen, (scope) =>
    (scopes as readonly string[]).includes(scope)
      ? null
      : { code: 'unknown_scope', message: `Must be one of ${scopes.join(', ')}.` },
  )

/** A key cannot be limited to domains yet: workspaces have none. */
export const domainProblems = (domains: readonly string[]): Problem[] =>
  notSupportedUnless(domains.length === 0, 'domains')

/** A CIDR or one address, without a zone; an IPv4 network is written as IPv4. */
const isKeyNetwork = (text: string): boolean => {
  const [address = ''] = text.split('/')
  return parseNetwork(text) !== null && unmapAddress(address) === address && !address.includes('%')
}

export const networkProblems = (networks: readonly string[]): Problem[] => {
  if (networks.length > mostNetworks) return tooMany('networks', mostNetworks)
  return problemOfEach('networks', networks, (network) =>
    isKeyNetwork(network)
      ? null
      : { code: 'invalid_network', message: 'Must be a network such as 203.0.113.0/24, or one address.' },
  )
}

/** Empty stands for never; any other expiry must be a future time. */
export const expiryProblems = (expiresAt: string, now: number): Problem[] => {
  const at = parseTime(expiresAt)
  const path = 'expires_at'
  if (expiresAt === '') return []
  if (at === null)
    return [{ path, code: 'invalid_time', message: 'Must be an RFC 3339 time such as 2030-01-31T12:00:00Z.' }]
  return at > now ? [] : [{ path, code: 'in_the_past', message: 'Must be in the future.' }]
}
