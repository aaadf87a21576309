/**
 * Policy of sign-up: who may become a user or get another workspace: everyone, invited people, or only those with an
 * account.
 */
export type SignUpPolicy = 'open' | 'invite' | 'off'

const invitedOnly = 'This service accepts invited people only; ask an owner or admin of a workspace for an invitation.'
const closed = 'Sign-up is closed on this service; ask its operator for an account.'

/** Returns why a person without an invitation gets no account or workspace; null: they get it. */
export const signUpRefusal = (policy: SignUpPolicy): string | null =>
  policy === 'open' ? null : policy === 'invite' ? invitedOnly : closed

/** Returns why an invitation makes no new user; null: it does. People with an account may always accept it. */
export const newUserRefusal = (policy: SignUpPolicy): string | null => (policy === 'off' ? closed : null)
