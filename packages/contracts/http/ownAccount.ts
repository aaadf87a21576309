import { z } from 'zod'
import { newEmail, newPassword, password, SessionRecord } from './account.ts'
import { listOf, strictObject, time } from './schema.ts'

/* Bodies and records of a person's own account. */

const token = () => z.string().min(1).max(200).describe('The token of the link in the mail.')

const code = () => z.string().min(1).max(64).meta({ example: '123456' })

/** Body of `POST /api/v1/auth/email/confirm`. */
export const ConfirmEmail = strictObject({ token: token() }).meta({ id: 'ConfirmEmail' })

export const EmailAddressRecord = z
  .looseObject({ object: z.literal('email_address'), email: z.string(), email_confirmed: z.boolean() })
  .meta({ id: 'EmailAddress' })

/** Body of `POST /api/v1/auth/email`. */
export const ChangeEmail = strictObject({
  email: newEmail().describe('The new email address.'),
  password: password(z.string().min(1)).describe('The current password.'),
}).meta({ id: 'ChangeEmail' })

/** Body of `POST /api/v1/auth/password-reset`. */
export const RequestPasswordReset = strictObject({ email: newEmail() }).meta({ id: 'RequestPasswordReset' })

/** Response to a request for an email. It is the same for every address. */
export const RequestedMail = z
  .looseObject({ object: z.literal('mail_request'), detail: z.string() })
  .meta({ id: 'MailRequest' })

/** Body of `POST /api/v1/auth/password-reset/confirm`. */
export const ResetPassword = strictObject({ token: token(), password: newPassword() }).meta({ id: 'ResetPassword' })

/** Body of `POST /api/v1/auth/password`. */
export const ChangePassword = strictObject({
  current: password(z.string().min(1)).describe('The current password.'),
  password: newPassword(),
}).meta({ id: 'ChangePassword' })

export const TotpSecretRecord = z
  .looseObject({
    object: z.literal('totp'),
    secret: z.string().describe('The secret in base32, to be entered by hand.'),
    uri: z.string().describe('What the QR code contains: `otpauth://totp/…`.'),
    qr_svg: z.string().describe('The QR code as an SVG image.'),
  })
  .meta({ id: 'TotpSecret' })

/** Body of `POST /api/v1/auth/totp/confirm`. */
export const ConfirmTotp = strictObject({
  code: code().describe('The code that the app shows now: six digits.'),
}).meta({ id: 'ConfirmTotp' })

/** Body of `DELETE /api/v1/auth/totp`. */
export const DisableTotp = strictObject({
  code: code().describe('The code that the app shows now, or a recovery code.'),
}).meta({ id: 'DisableTotp' })

export const TotpEnabledRecord = SessionRecord.extend({
  object: z.literal('totp'),
  recovery_codes: z
    .array(z.string())
    .describe(
      'Ten codes for the loss of the app. Each works once instead of a code; only this response contains them.',
    ),
}).meta({ id: 'TotpEnabled' })

export const SessionEntry = z
  .looseObject({
    object: z.literal('session'),
    id: z.string(),
    created_at: time(),
    last_used_at: time().describe('Time of the last use, rounded down to the minute.'),
    device: z
      .string()
      .nullable()
      .describe('Browser and system in words; null: unknown.')
      .meta({ example: 'Firefox on Linux' }),
    address: z
      .string()
      .nullable()
      .describe('Client address of the last use; null: unknown.')
      .meta({ example: '192.0.2.1' }),
    current: z.boolean().describe('Whether this request was made with this session.'),
  })
  .meta({ id: 'SessionEntry' })

export const SessionEntries = listOf(SessionEntry, 'SessionEntryList')

export const RevokedSessions = z
  .looseObject({ object: z.literal('revoked_sessions'), count: z.int() })
  .meta({ id: 'RevokedSessions' })
