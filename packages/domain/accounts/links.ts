import { createHash } from 'node:crypto'
import { dayMs, hourMs, minuteMs } from '../time.ts'

/*
 * One-time links in system emails, and the link that is printed at a start (`sign_in`). A link has a random token of
 * 256 bits; the store has its SHA-256 only, and finds it by that hash. Only the reader of the mail can use the link, so
 * its use proves that a person reads the mail of an address.
 */

/** Purposes of links. A token of one purpose is unknown to every other purpose. */
export const linkPurposes = ['invitation', 'confirm_email', 'change_email', 'reset_password', 'sign_in'] as const

export type LinkPurpose = (typeof linkPurposes)[number]

/** `subject` is the id of what the link is about: a user, or an invitation. */
export type Link = {
  hash: Uint8Array
  purpose: LinkPurpose
  subject: string
  /** The address that the mail went to. */
  address: string
  createdAt: number
  /** The link cannot be used at this time and later. */
  expiresAt: number
}

/** Time for which a link can be used, in milliseconds. */
export const linkLifeMs: Readonly<Record<LinkPurpose, number>> = {
  invitation: 7 * dayMs,
  confirm_email: 24 * hourMs,
  change_email: 24 * hourMs,
  reset_password: 30 * minuteMs,
  sign_in: 15 * minuteMs,
}

/**
 * Pages of the gateway. They change nothing until a person presses a button, because programs open links in emails too.
 */
export const linkPaths: Readonly<Record<LinkPurpose, string>> = {
  invitation: '/account/invitation',
  confirm_email: '/account/confirm-email',
  change_email: '/account/confirm-email',
  reset_password: '/account/reset-password',
  sign_in: '/account/sign-in',
}

const tokenBytes = 32
const tokenShape = /^[A-Za-z0-9_-]{43}$/

/** Returns what the store has of a token; null: the text is not a token. */
export const linkHash = (token: string): Uint8Array | null =>
  tokenShape.test(token) ? createHash('sha256').update(token).digest() : null

type NewLink = Pick<Link, 'purpose' | 'subject' | 'address'> & {
  at: number
  /** Returns that many unpredictable bytes. */
  random: (size: number) => Uint8Array
}

/** Returns a new link for the store, and its token, which only the mail has. */
export const newLink = ({ purpose, subject, address, at, random }: NewLink): { token: string; link: Link } => {
  const token = Buffer.from(random(tokenBytes)).toString('base64url')
  const hash = createHash('sha256').update(token).digest()
  return { token, link: { hash, purpose, subject, address, createdAt: at, expiresAt: at + linkLifeMs[purpose] } }
}

/** Returns the address of the page that uses a link. @param publicUrl the configured one, never one of a request */
export const linkUrl = (publicUrl: string, purpose: LinkPurpose, token: string): string =>
  `${publicUrl}${linkPaths[purpose]}?token=${token}`

/** Returns the name of a link's mail for the store of idempotency keys, so that one link is mailed once. */
export const linkMailKey = ({ hash, purpose }: Pick<Link, 'hash' | 'purpose'>): string =>
  `${purpose} ${Buffer.from(hash).toString('base64url')}`

/** Returns what the links of an invitation are about: the id alone would not find its workspace. */
export const linkSubject = (workspace: string, invitation: string): string => `${workspace}/${invitation}`

/** Returns the bounds of all subjects that `linkSubject` makes for a workspace; the upper one is excluded. */
export const linkSubjects = (workspace: string): { from: string; below: string } => ({
  from: `${workspace}/`,
  below: `${workspace}0`,
})
