/*
 * Rules of accounts. This file has users and their second factor.
 *
 *   a person      signUp (policy), users, recoveryCodes, device (of a session), links (in system emails), textRules
 *                 (names, passwords, addresses)
 *   a workspace   workspaceRules (settings), workspaceLife (suspension and deletion), people (members, invitations),
 *                 roles (permissions)
 *   an API key    apiKey (its text and scopes), keyRules (what it may have), keyRestrictions (networks, senders,
 *                 recipients), keyLife (expiry, replacement, revocation)
 *   limits        limits (counts and rates), logInLimits (failed logins; order of password hashes)
 *   operators     operatorRules, operatorSearch
 */

/** Stored data of a person's second factor (RFC 6238). Times are milliseconds since the epoch. */
export type Totp = {
  /** The secret, encrypted under the master key and bound to the user. */
  sealed: string
  /** When the person proved that their device has the secret; null: not yet, so that no code is required. */
  enabledAt: number | null
  /** The last period of 30 s whose code was used: its code and earlier ones are refused. */
  lastStep: number
  /** SHA-256 of the recovery codes that were not used, base64url. */
  recovery: readonly string[]
}

/** `email` is unique, in the form normalized at sign-up. */
export type User = {
  id: string
  email: string
  passwordHash: string
  createdAt: number
  /** When a person used a link that was mailed to the address; null: never. */
  emailConfirmedAt: number | null
  totp: Totp | null
  /**
   * Sessions that were opened before are not valid: those before the last change of the password, and those before the
   * operator enabled the user again. 0: all are.
   */
  sessionsSince: number
}

type NewUser = Pick<User, 'id' | 'email' | 'passwordHash' | 'createdAt'>

/** Returns the record of a new user, whose address is not confirmed. */
export const newUser = ({ id, email, passwordHash, createdAt }: NewUser): User => ({
  id,
  email,
  passwordHash,
  createdAt,
  emailConfirmedAt: null,
  totp: null,
  sessionsSince: 0,
})

/**
 * Returns what changes when the operator disables a user, or enables the user again (null) at `at`. A session from
 * before is not valid after that: one that was opened while the user was being disabled may still be stored.
 */
export const disabledChange = <Disabled>(
  { sessionsSince }: Pick<User, 'sessionsSince'>,
  disabled: Disabled | null,
  at: number,
): { disabled: Disabled | null } & Pick<User, 'sessionsSince'> => ({
  disabled,
  sessionsSince: disabled === null ? Math.max(sessionsSince, at) : sessionsSince,
})

type WithTotp = { totp: Pick<Totp, 'enabledAt'> | null }

/** Returns whether a code is needed to log in. */
export const hasTotp = ({ totp }: WithTotp): boolean => (totp?.enabledAt ?? null) !== null

/**
 * Returns what a password reset by email removes: the second factor of an account whose address was never confirmed.
 * Any person can sign up with the address of another one, and could otherwise block the address permanently.
 * @returns `isRemoved`: the factor was needed to log in
 */
export const unprovenFactor = ({
  emailConfirmedAt,
  totp,
}: Pick<User, 'emailConfirmedAt'> & WithTotp): { change: { totp?: null }; isRemoved: boolean } => ({
  change: emailConfirmedAt === null ? { totp: null } : {},
  isRemoved: emailConfirmedAt === null && hasTotp({ totp }),
})

/**
 * Returns whether a session was opened with a code of the second factor that its user has now.
 * @param session `totpEnabledAt`: when the factor that it passed was enabled; null: it passed none
 */
export const hasPassedTotp = (session: { totpEnabledAt: number | null }, { totp }: WithTotp): boolean =>
  session.totpEnabledAt !== null && session.totpEnabledAt === totp?.enabledAt

type SessionUser = WithTotp &
  Pick<User, 'email' | 'emailConfirmedAt' | 'sessionsSince'> & {
    operatorSince: number | null
    disabledAt: number | null
  }

/** Facts about its user that an open session shows. */
export type SessionFacts = {
  email: string
  isEmailConfirmed: boolean
  hasTotp: boolean
  /** Whether the session was opened with a code of the second factor that the user has now. */
  hasPassedTotp: boolean
  /** Whether the user is marked as an operator. */
  isOperator: boolean
  /** Whether the operator disabled the user: a session that began at that time is left. */
  isDisabled: boolean
  /** See `User`. */
  sessionsSince: number
}

/** Returns what a session shows of its user. */
export const sessionFacts = (session: { totpEnabledAt: number | null }, user: SessionUser): SessionFacts => ({
  email: user.email,
  isEmailConfirmed: user.emailConfirmedAt !== null,
  hasTotp: hasTotp(user),
  hasPassedTotp: hasPassedTotp(session, user),
  isOperator: user.operatorSince !== null,
  isDisabled: user.disabledAt !== null,
  sessionsSince: user.sessionsSince,
})

/** Time for which a session is valid: since it was opened, and since it was last used. */
export type SessionLimits = { sessionAgeMs: number; sessionIdleMs: number }

/**
 * Returns whether a session can be used: its user is not disabled, and it is neither too old nor idle for too long, and
 * was not opened before `sessionsSince`.
 */
export const isValidSession = (
  { createdAt, seenAt }: { createdAt: number; seenAt: number },
  { sessionsSince, isDisabled }: Pick<User, 'sessionsSince'> & { isDisabled: boolean },
  at: number,
  limits: SessionLimits,
): boolean =>
  !isDisabled &&
  at - createdAt < limits.sessionAgeMs &&
  at - seenAt < limits.sessionIdleMs &&
  createdAt >= sessionsSince
