import { dayMs, hourMs } from '../time.ts'
import type { PeopleLimits } from './people.ts'

const unitSeconds = { minute: 60, hour: 3_600, day: 86_400 } as const

/**
 * Rate at which an operation is allowed: `rate` in requests per second, `burst` at the same time, and `text`, the rate
 * as refusals name it.
 */
export type AccountRate = { rate: number; burst: number; text: string }

const perUnit = (count: number, unit: keyof typeof unitSeconds, burst = count): AccountRate => ({
  rate: count / unitSeconds[unit],
  burst,
  text: `${count} ${unit === 'hour' ? 'an' : 'a'} ${unit}`,
})

/** Maximum length of a password in UTF-16 code units. */
export const maxPasswordLength = 1_024

/** Limits of accounts; every refusal names its limit. Failed logins have further limits (logInLimits.ts). */
export type AccountLimits = {
  /** Sign-ups, per client address. */
  signUp: AccountRate
  /** Logins, per account and client address. */
  logIn: AccountRate
  /** Logins, per client address, for all accounts together. */
  logInOfClient: AccountRate
  /** Codes of a second factor, per user. */
  codes: AccountRate
  /** Checks of the password by a session, per user. */
  passwordChecks: AccountRate
  /** Emails that a person can cause, per user. */
  mails: AccountRate
  /** Emails to one address that people can cause, for all users together. */
  mailsOfAddress: AccountRate
  /** Requests for a new password, per address. */
  resetsOfAddress: AccountRate
  /** Requests for a new password, per client address. */
  resetsOfClient: AccountRate
  /** Uses of links from emails, per client address. */
  linksOfClient: AccountRate
  /** Valid keys of a workspace. */
  keys: number
  people: PeopleLimits
  /** Emails of invitations: of a workspace, and to one address. */
  invitations: { mails: AccountRate; mailsOfAddress: AccountRate }
  /** Workspaces of a user, including those of other owners. */
  workspacesOfUser: number
  /** Sessions of a user; a further one ends the one that was used least recently. */
  sessionsOfUser: number
  /** A session ends after this long without use. */
  sessionIdleMs: number
  /** A session ends at this age, even if it is in use. */
  sessionAgeMs: number
}

export const defaultAccountLimits: AccountLimits = {
  signUp: perUnit(30, 'hour', 10),
  logIn: perUnit(5, 'minute'),
  logInOfClient: perUnit(60, 'minute'),
  codes: perUnit(20, 'hour'),
  passwordChecks: perUnit(30, 'hour', 10),
  mails: perUnit(10, 'hour', 5),
  mailsOfAddress: perUnit(10, 'day'),
  resetsOfAddress: perUnit(5, 'hour'),
  resetsOfClient: perUnit(60, 'hour', 30),
  linksOfClient: perUnit(60, 'minute'),
  keys: 100,
  people: { members: 500, invitations: 100 },
  invitations: { mails: perUnit(50, 'day'), mailsOfAddress: perUnit(10, 'day') },
  workspacesOfUser: 50,
  sessionsOfUser: 100,
  sessionIdleMs: 12 * hourMs,
  sessionAgeMs: 30 * dayMs,
}
