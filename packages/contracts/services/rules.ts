export { mebibyte } from '@postrider/mail/units.ts'

/**
 * Every API request gets its response within 5 s: authentication and the call after it take at most this long together.
 */
export const responseMs = 4_800

/**
 * The gateway first authenticates the caller (`authenticateMs`), and then makes one call (`callMs`). If authentication
 * took long, the call gets what is left of `responseMs`. The calls that this one makes get less (`innerMs`). Sign-up
 * and login need no authentication before and hash a password (`passwordMs`).
 */
export const [authenticateMs, callMs, innerMs, passwordMs] = [3_000, 3_800, 2_000, 4_500]

export const read = { deadlineMs: callMs, repeatable: true } as const
export const write = { deadlineMs: callMs, repeatable: false } as const
/** Idempotent by the id in the request. */
export const idempotent = { deadlineMs: innerMs, repeatable: true } as const
