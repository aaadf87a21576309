import { createHash } from 'node:crypto'
import type { KnownOrigin } from '../fairness/knownTurns.ts'
import { auditNetwork, networkArea, rateLimitClient } from '../network.ts'
import type { RateBucket } from '../rateLimit/gcra.ts'

/*
 * Which buckets a login takes from. Attempts are limited per client address, and per account and client address. Failed
 * attempts are counted in further buckets, so that the wait grows with them:
 *
 * | counted by | stops |
 * |---|---|
 * | account and client address | guesses at one account |
 * | client address | one password tried on many accounts |
 * | network (/24, /48) | the same from many addresses of one network |
 * | account | guesses at one account from many addresses |
 *
 * No bucket stays empty: after the longest wait one more attempt is admitted. Other people fill the buckets of a
 * network and of an account, so these do not apply where the account was logged in to before.
 */

type Tier = { rate: number; burst: number }

const [minute, quarter, hour, day] = [60, 900, 3_600, 86_400]

/** Failed attempts. The first tier is used up first; each further one makes the wait longer. Rates are per second. */
const failureTiers = {
  pair: [
    { rate: 1 / minute, burst: 10 },
    { rate: 1 / quarter, burst: 20 },
  ],
  client: [
    { rate: 6 / minute, burst: 60 },
    { rate: 1 / minute, burst: 120 },
    { rate: 12 / hour, burst: 300 },
  ],
  network: [
    { rate: 12 / minute, burst: 120 },
    { rate: 2 / minute, burst: 500 },
  ],
  account: [{ rate: 100 / hour, burst: 100 }],
} as const satisfies Record<string, readonly Tier[]>

/** How long a network counts as one that the account was used from. */
const familiarDays = 90

/** Returns the name of an account in buckets and in the audit log: it does not show the address. */
export const accountPseudonym = (email: string): string =>
  createHash('sha256').update(email).digest('base64url').slice(0, 22)

const buckets = (prefix: string, name: string, tiers: readonly Tier[]): RateBucket[] =>
  tiers.map(({ rate, burst }, tier) => ({ key: `${prefix}/login-${name}-${tier}`, rate, burst }))

/** Returns the buckets of failed logins to `account` (a pseudonym) from this address. */
export const logInFailures = (account: string, clientAddress: string) => {
  const client = rateLimitClient(clientAddress)
  return {
    pair: buckets(`${account}|${client}`, 'failed', failureTiers.pair),
    client: buckets(client, 'failed', failureTiers.client),
    network: buckets(networkOf(clientAddress), 'network-failed', failureTiers.network),
    account: buckets(account, 'failed', failureTiers.account),
  }
}

/** Returns the network of a client; addresses that cannot be read count as one network. */
export const networkOf = (clientAddress: string): string => auditNetwork(clientAddress) || 'unknown'

/**
 * Returns the origin of the hash of a password: networks that had fewer hashes recently go first.
 * @param isKnown the account was used from this network before
 */
export const hashOrigin = (clientAddress: string, isKnown: boolean): KnownOrigin => ({
  owner: rateLimitClient(clientAddress),
  group: networkOf(clientAddress),
  area: networkArea(clientAddress) || 'unknown',
  isKnown,
})

/** Returns the bucket that a successful login or sign-up takes from: while it is not full, the network is familiar. */
export const familiarNetwork = (account: string, clientAddress: string): RateBucket => ({
  key: `${account}/familiar:${networkOf(clientAddress)}`,
  rate: 1 / (familiarDays * day),
  burst: 2,
})

/**
 * Returns the buckets that an audit entry about a refused login takes from, so that refusals cannot grow the log
 * without limit: one entry an hour for each account and network, and ten an hour for each account.
 */
export const refusalEntries = (account: string, clientAddress: string): RateBucket[] => [
  { key: `${account}/refusals:${networkOf(clientAddress)}`, rate: 1 / hour, burst: 1 },
  { key: `${account}/refusals`, rate: 10 / hour, burst: 20 },
]
