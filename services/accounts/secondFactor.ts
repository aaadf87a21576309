import type { SessionRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/SessionRequest.ts'
import type { TotpCodeRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/TotpCodeRequest.ts'
import type { TotpSecret__Output } from '@postrider/contracts/gen/postrider/accounts/v1/TotpSecret.ts'
import type { TotpEnabled } from '@postrider/contracts/services.ts'
import { newRecoveryCodes, recoveryHash } from '@postrider/domain/accounts/recoveryCodes.ts'
import { hasTotp, type Totp, type User } from '@postrider/domain/accounts/users.ts'
import { Fault, invalid } from '@postrider/kit/fault.ts'
import type { Log } from '@postrider/kit/log.ts'
import { requireOpened } from '@postrider/kit/secretBox.ts'
import type { Deps } from './deps.ts'
import { mailNotice } from './mails.ts'
import { limitCodes } from './rateLimits.ts'
import { ownEntry, ownSession, renewSession } from './session.ts'
import { newTotpSecret, totpSetup, totpStep } from './totp.ts'

/* The second factor of a user: codes of an authenticator app, and recovery codes for its loss. */

/** The context that a secret is bound to: the secret of one user does not open for another. */
const totpContext = (user: string): readonly [string, string] => ['totp', user]

const seal = ({ box }: Deps, user: string, secret: Uint8Array): string => box.seal(secret, totpContext(user))

const open = ({ box }: Deps, user: string, { sealed }: Totp): Uint8Array => {
  try {
    return requireOpened(box.open(sealed, totpContext(user)), `the second factor of ${user}`)
  } catch (cause) {
    // The person can do nothing about it; a recovery code still works.
    throw new Fault('unavailable', 'The second factor cannot be checked at the moment; use a recovery code.', { cause })
  }
}

const changeConflictFault = () =>
  new Fault('conflict', 'The second factor was changed by another request; read it again.')

/** Makes a secret. It is not required until a code proves that the person's app has it; each call makes another one. */
export const startTotp = async (deps: Deps, request: SessionRequest__Output): Promise<TotpSecret__Output> => {
  const { user, open: session } = await ownSession(deps, request.token)
  if (hasTotp(user)) throw new Fault('conflict', 'Two-factor authentication is already on; switch it off first.')
  const secret = newTotpSecret(deps.random)
  const totp: Totp = { sealed: seal(deps, user.id, secret), enabledAt: null, lastStep: 0, recovery: [] }
  const expected = { totp: user.totp?.sealed ?? null }
  const audit = await ownEntry(deps, {
    user: user.id,
    action: 'user.start_totp',
    clientAddress: request.client_address,
    workspace: session.session.workspace,
  })
  if ((await deps.users.changeUser(user.id, { totp }, expected, audit)) !== 'changed') throw changeConflictFault()
  return totpSetup(secret, user.email)
}

const wrongCode = () =>
  invalid({
    path: 'code',
    code: 'invalid_code',
    message: 'This code is wrong, expired or already used; enter the code that your app shows now.',
  })

/** Switches the second factor on with a first code, and returns the recovery codes, which are shown this once. */
export const confirmTotp = async (deps: Deps, request: TotpCodeRequest__Output): Promise<TotpEnabled> => {
  const { user, open: session } = await ownSession(deps, request.token)
  const { totp } = user
  if (totp === null)
    throw new Fault('conflict', 'There is no second factor to confirm; begin with POST /api/v1/auth/totp.')
  if (hasTotp(user)) throw new Fault('conflict', 'Two-factor authentication is already on.')
  await limitCodes(deps, user.id)
  const secret = open(deps, user.id, totp)
  const step = totpStep(secret, request.code, deps.now())
  if (step === null) throw wrongCode()
  const codes = newRecoveryCodes(deps.random)
  const recovery = codes.flatMap((code) => recoveryHash(user.id, code) ?? [])
  // Sealed again, so that of two confirmations at the same time the second one finds another text.
  const enabledAt = deps.now()
  const enabled: Totp = { sealed: seal(deps, user.id, secret), enabledAt, lastStep: step, recovery }
  const audit = await ownEntry(deps, {
    user: user.id,
    action: 'user.enable_totp',
    clientAddress: request.client_address,
    workspace: session.session.workspace,
  })
  if ((await deps.users.changeUser(user.id, { totp: enabled }, { totp: totp.sealed }, audit)) !== 'changed')
    throw changeConflictFault()
  mailNotice(deps, user, 'totp_enabled')
  const [clientAddress, userAgent] = [request.client_address, request.user_agent]
  const renewed = await renewSession(deps, {
    open: session,
    user: { ...user, totp: enabled },
    endOthers: false,
    totpEnabledAt: enabledAt,
    clientAddress,
    userAgent,
  })
  return { session: renewed, recovery_codes: codes }
}

/** Switches the second factor off. */
export const disableTotp = async (deps: Deps, request: TotpCodeRequest__Output) => {
  const { user, open: session } = await ownSession(deps, request.token)
  if (user.totp === null || !hasTotp(user)) throw new Fault('conflict', 'Two-factor authentication is not on.')
  if (!(await useCode(deps, user, request.code, request.client_address))) throw wrongCode()
  const audit = await ownEntry(deps, {
    user: user.id,
    action: 'user.disable_totp',
    clientAddress: request.client_address,
    workspace: session.session.workspace,
  })
  if ((await deps.users.changeUser(user.id, { totp: null }, { totp: user.totp.sealed }, audit)) !== 'changed')
    throw changeConflictFault()
  mailNotice(deps, user, 'totp_disabled')
  return {}
}

/**
 * Uses a code of the app or a recovery code: each works once.
 * @returns false: it is wrong or was used
 * @throws Fault `rate_limited`: too many codes were tried
 */
export const useCode = async (deps: Deps, user: User, code: string, clientAddress: string): Promise<boolean> => {
  const { totp } = user
  if (totp === null) return false
  await limitCodes(deps, user.id)
  const recovery = recoveryHash(user.id, code)
  if (recovery !== null) {
    const audit = await ownEntry(deps, { user: user.id, action: 'user.use_recovery_code', clientAddress })
    const isUsed = await deps.users.useRecoveryCode(user.id, recovery, audit)
    if (isUsed) mailNotice(deps, user, 'recovery_code_used')
    return isUsed
  }
  const step = totpStep(open(deps, user.id, totp), code, deps.now())
  return step !== null && deps.users.useTotpStep(user.id, step)
}

const pageSize = 100

/** Encrypts secrets of a former master key again, so that the former key can be removed. @returns how many */
export const resealSecrets = async (
  deps: Pick<Deps, 'users' | 'box'>,
  secretIdOf: (sealed: string) => string | null,
): Promise<number> => {
  let [after, count] = ['', 0]
  for (;;) {
    const page = await deps.users.totpUsers(after, pageSize)
    for (const { id, totp } of page) {
      if (totp === null || secretIdOf(totp.sealed) === deps.box.secretId) continue
      const opened = deps.box.open(totp.sealed, totpContext(id))
      if (opened.kind !== 'opened') continue
      await deps.users.resealTotp(id, totp.sealed, deps.box.seal(opened.plain, totpContext(id)))
      count += 1
    }
    after = page.at(-1)?.id ?? ''
    if (page.length < pageSize) return count
  }
}

/** Encrypts secrets of a former master key again at a start, and logs how many there were. */
export const logResealed = async (log: Pick<Log, 'info'>, reseal: () => Promise<number>): Promise<void> => {
  const count = await reseal()
  if (count > 0) log.info({ count }, 're-encrypted totp secrets')
}
