import { newUserRefusal, signUpRefusal } from '@postrider/domain/accounts/signUp.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Deps } from './deps.ts'

/* Who may become a user or get another workspace, by `POSTRIDER_SIGNUP`. How often: `limitSignUps` in rateLimits.ts. */

const refuse = (refusal: string | null): void => {
  if (refusal !== null) throw new Fault('forbidden', refusal)
}

/** @throws Fault `forbidden`: only `open` lets everyone in */
export const refuseClosedSignUp = ({ signup }: Pick<Deps, 'signup'>): void => refuse(signUpRefusal(signup))

/**
 * @throws Fault `forbidden`: with `off`, an invitation makes no new users either; people with an account may accept it
 */
export const refuseNewUser = ({ signup }: Pick<Deps, 'signup'>): void => refuse(newUserRefusal(signup))
