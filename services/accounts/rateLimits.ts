import type { AccountRate } from '@postrider/domain/accounts/limits.ts'
import { accountPseudonym } from '@postrider/domain/accounts/logInLimits.ts'
import { rateLimitClient } from '@postrider/domain/network.ts'
import type { RateBucket } from '@postrider/domain/rateLimit/gcra.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Deps } from './deps.ts'

type LimitDeps = Pick<Deps, 'limiter' | 'limits' | 'now'>

/** Returns the bucket of a limit. @param key the owner of the bucket */
export const bucketOf = (key: string, { rate, burst }: AccountRate): RateBucket => ({ key, rate, burst })

/**
 * Takes one from each of the buckets before the work, so that attempts at the same time count too. A cost of 0 only
 * checks them.
 * @param what a sentence without its end, such as "Too many passwords were tried"
 * @returns Fault `rate_limited`; null: admitted
 */
export const rateRefusal = async (
  { limiter, now }: Pick<Deps, 'limiter' | 'now'>,
  buckets: readonly RateBucket[],
  what: string,
  cost: 0 | 1 = 1,
): Promise<Fault | null> => {
  const { admitted, retryAfterMs } = await limiter.take(buckets, cost, now())
  return admitted ? null : new Fault('rate_limited', `${what}; wait for the time in Retry-After.`, { retryAfterMs })
}

/** Takes one from each of the buckets. @throws Fault `rate_limited` */
export const takeOrRefuse = async (...args: Parameters<typeof rateRefusal>): Promise<void> => {
  const refusal = await rateRefusal(...args)
  if (refusal !== null) throw refusal
}

/** Limits new users and workspaces, per client address. */
export const limitSignUps = (deps: LimitDeps, clientAddress: string): Promise<void> => {
  const { signUp } = deps.limits
  const bucket = bucketOf(`${rateLimitClient(clientAddress)}/signup`, signUp)
  return takeOrRefuse(deps, [bucket], `Too many sign-ups from your address (${signUp.text})`)
}

/** Limits guesses at the codes of a second factor, from any address: a guesser already has the password. */
export const limitCodes = (deps: LimitDeps, user: string): Promise<void> =>
  takeOrRefuse(
    deps,
    [bucketOf(`${user}/codes`, deps.limits.codes)],
    `Too many codes were tried for this account (${deps.limits.codes.text})`,
  )

/** Limits guesses at the password by a session. */
export const limitPasswordChecks = (deps: LimitDeps, user: string): Promise<void> =>
  takeOrRefuse(
    deps,
    [bucketOf(`${user}/password`, deps.limits.passwordChecks)],
    `Too many passwords were tried (${deps.limits.passwordChecks.text})`,
  )

/** Limits the emails that a person lets us send. */
export const limitMails = (deps: LimitDeps, user: string): Promise<void> =>
  takeOrRefuse(
    deps,
    [bucketOf(`${user}/mails`, deps.limits.mails)],
    `Too many emails were requested (${deps.limits.mails.text})`,
  )

/** Limits the emails to one address, for all users together: a person may name any address. */
export const limitMailsTo = (deps: LimitDeps, address: string): Promise<void> =>
  takeOrRefuse(
    deps,
    [bucketOf(`${accountPseudonym(address)}/mails`, deps.limits.mailsOfAddress)],
    `Too many emails to this address were requested (${deps.limits.mailsOfAddress.text})`,
  )

/** Limits requests for a new password, per address, whether it has an account or not, and per client address. */
export const limitResets = (deps: LimitDeps, account: string, clientAddress: string): Promise<void> =>
  takeOrRefuse(
    deps,
    [
      bucketOf(`${account}/reset`, deps.limits.resetsOfAddress),
      bucketOf(`${rateLimitClient(clientAddress)}/reset`, deps.limits.resetsOfClient),
    ],
    'Too many new passwords were requested',
  )

const linksOf = ({ limits }: LimitDeps, clientAddress: string): RateBucket[] => [
  bucketOf(`${rateLimitClient(clientAddress)}/links`, limits.linksOfClient),
]

const tooManyLinks = ({ limits }: LimitDeps): string =>
  `Too many links were tried from your address (${limits.linksOfClient.text})`

/** Limits how often one client tries links from emails. */
export const limitLinks = (deps: LimitDeps, clientAddress: string): Promise<void> =>
  takeOrRefuse(deps, linksOf(deps, clientAddress), tooManyLinks(deps))

/**
 * Limits guesses at links of invitations: only those that cannot be used count, because many people of one office join
 * a workspace.
 */
export const limitGuesses = async <T>(deps: LimitDeps, clientAddress: string, find: () => Promise<T>): Promise<T> => {
  await takeOrRefuse(deps, linksOf(deps, clientAddress), tooManyLinks(deps), 0)
  try {
    return await find()
  } catch (thrown) {
    await deps.limiter.take(linksOf(deps, clientAddress), 1, deps.now())
    throw thrown
  }
}
