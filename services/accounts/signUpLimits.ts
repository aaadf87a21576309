import { rateLimitClient } from '@postrider/domain/network.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Deps } from './deps.ts'

/** Who may become a user or get another workspace: `POSTRIDER_SIGNUP`, and a limit per client address. */

const closedMessages = {
  invite: 'This service accepts invited people only; ask an owner or admin of a workspace for an invitation.',
  off: 'Sign-up is closed on this service; ask its operator for an account.',
} as const

/** @throws Fault `forbidden`: only `open` lets everyone in */
export const refuseClosedSignUp = ({ signup }: Pick<Deps, 'signup'>): void => {
  if (signup !== 'open') throw new Fault('forbidden', closedMessages[signup])
}

/** @throws Fault `forbidden`: with `off`, an invitation makes no new users either; people with an account may accept it */
export const refuseNewUser = ({ signup }: Pick<Deps, 'signup'>): void => {
  if (signup === 'off') throw new Fault('forbidden', closedMessages.off)
}

/** @throws Fault `rate_limited` */
export const limitSignUps = async (
  { limiter, limits, now }: Pick<Deps, 'limiter' | 'limits' | 'now'>,
  clientAddress: string,
): Promise<void> => {
  const verdict = await limiter.take([{ key: `${rateLimitClient(clientAddress)}/signup`, ...limits.signUp }], 1, now())
  if (verdict.admitted) return
  const detail = 'Too many sign-ups from your address (30 an hour); try again after the time in Retry-After.'
  throw new Fault('rate_limited', detail, { retryAfterMs: verdict.retryAfterMs })
}
