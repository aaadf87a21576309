import type { RecipientResult } from '@postrider/domain/email/transmission.ts'

/** Returns the result of a recipient that a server answered. */
export const answered = (code: number, enhanced: string, text: string): RecipientResult => ({
  kind: 'answered',
  reply: { code, enhanced, text },
})

export const delivered = answered(250, '2.0.0', 'queued as 1')
export const noSuchUser = answered(550, '5.1.1', 'no such user')
export const busy = answered(451, '4.3.0', 'try later')
export const lostBefore: RecipientResult = { kind: 'lost_before_dot', reason: 'connection refused' }
export const lostAfter: RecipientResult = { kind: 'lost_after_dot', reason: 'connection closed' }
