import { accountPseudonym } from '@postrider/domain/accounts/logInLimits.ts'
import { rateLimitClient } from '@postrider/domain/network.ts'
import type { Bucket } from '@postrider/domain/rateLimit/gcra.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Deps } from './deps.ts'

type LimitDeps = Pick<Deps, 'limiter' | 'limits' | 'now'>

/** Takes one from each of the buckets before the work, so that attempts at the same time count too. A cost of 0 only checks them. */
const take = async (
  { limiter, now }: LimitDeps,
  buckets: readonly Bucket[],
  what: string,
  cost: 0 | 1 = 1,
): Promise<void> => {
  const { admitted, retryAfterMs } = await limiter.take(buckets, cost, now())
  if (!admitted) throw new Fault('rate_limited', `${what}; wait for the time in Retry-After.`, { retryAfterMs })
}

/** Limits guesses at the codes of a second factor, wherever they come from: a guesser knows the password already. */
export const limitCodes = (deps: LimitDeps, user: string): Promise<void> =>
  take(
    deps,
    [{ key: `${user}/codes`, ...deps.limits.codes }],
    'Too many codes were tried for this account (20 an hour)',
  )

/** Limits guesses at the password by a session. */
export const limitPasswordChecks = (deps: LimitDeps, user: string): Promise<void> =>
  take(deps, [{ key: `${user}/password`, ...deps.limits.passwordChecks }], 'Too many passwords were tried (30 an hour)')

/** Limits the mails that a person lets us send. */
export const limitMails = (deps: LimitDeps, user: string): Promise<void> =>
  take(deps, [{ key: `${user}/mails`, ...deps.limits.mails }], 'Too many mails were requested (10 an hour)')

/** Limits the mails to one address, for all users together: a person may name any address. */
export const limitMailsTo = (deps: LimitDeps, address: string): Promise<void> =>
  take(
    deps,
    [{ key: `${accountPseudonym(address)}/mails`, ...deps.limits.mailsOfAddress }],
    'Too many mails to this address were requested (10 a day)',
  )

/** Limits requests for a new password, per address, whether it has an account or not, and per client address. */
export const limitResets = (deps: LimitDeps, account: string, clientAddress: string): Promise<void> =>
  take(
    deps,
    [
      { key: `${account}/reset`, ...deps.limits.resetsOfAddress },
      { key: `${rateLimitClient(clientAddress)}/reset`, ...deps.limits.resetsOfClient },
    ],
    'Too many new passwords were requested',
  )

const linksOf = ({ limits }: LimitDeps, clientAddress: string): Bucket[] => [
  { key: `${rateLimitClient(clientAddress)}/links`, ...limits.linksOfClient },
]

const tooManyLinks = 'Too many links were tried from your address (60 a minute)'

/** Limits how often one client tries links from mails. */
export const limitLinks = (deps: LimitDeps, clientAddress: string): Promise<void> =>
  take(deps, linksOf(deps, clientAddress), tooManyLinks)

/** Limits guesses at links of invitations: only those that cannot be used count, because many people of one office join a workspace. */
export const limitGuesses = async <T>(deps: LimitDeps, clientAddress: string, find: () => Promise<T>): Promise<T> => {
  await take(deps, linksOf(deps, clientAddress), tooManyLinks, 0)
  try {
    return await find()
  } catch (thrown) {
    await deps.limiter.take(linksOf(deps, clientAddress), 1, deps.now())
    throw thrown
  }
}
