import { Secret, TOTP } from 'otpauth'
import { encodeQR } from 'qr'

/* Codes of a second factor (RFC 6238) as every authenticator app makes them: SHA-1, 6 digits, periods of 30 s. */

const [periodSeconds, digits, secretBytes] = [30, 6, 20] as const

/** Periods before and after the current one whose codes count: clocks of phones differ (RFC 6238 §5.2). */
const skew = 1

const issuer = 'Postrider'

const totpOf = (secret: Uint8Array, label = ''): TOTP =>
  new TOTP({
    issuer,
    label,
    algorithm: 'SHA1',
    digits,
    period: periodSeconds,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
  })

export const newTotpSecret = (random: (size: number) => Uint8Array): Uint8Array => random(secretBytes)

/** Black on white also in a dark page, because many readers need that; with the quiet zone of four modules. */
const qrSvg = (text: string): string =>
  encodeQR(text, 'svg', { ecc: 'medium', border: 4 }).replace('>', '><rect width="100%" height="100%" fill="#fff"/>')

/** Returns the data that a person's authenticator app reads. */
export const totpSetup = (secret: Uint8Array, email: string) => {
  const totp = totpOf(secret, email)
  const uri = totp.toString()
  return { secret: totp.secret.base32, uri, qr_svg: qrSvg(uri) }
}

/** Returns the period whose code this is; null: it is not a code of the current period or one next to it. */
export const totpStep = (secret: Uint8Array, code: string, now: number): number | null => {
  const token = code.replaceAll(/[\s-]/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const delta = totpOf(secret).validate({ token, timestamp: now, window: skew })
  return delta === null ? null : Math.floor(now / (periodSeconds * 1_000)) + delta
}
