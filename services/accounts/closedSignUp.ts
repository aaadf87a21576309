import { Fault } from '@postrider/kit/fault.ts'
import type { Deps } from './deps.ts'

/** Who may become a user or get another workspace, by `POSTRIDER_SIGNUP`. How often: `limitSignUps` in rateLimits.ts. */

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
