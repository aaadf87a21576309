import { keyModes, scopes as keyScopes } from '@postrider/domain/accounts/apiKey.ts'
import { unusedAfterMs } from '@postrider/domain/accounts/keyLife.ts'
import { maxOverlapMs, maxRestrictions, tooManyRestrictions } from '@postrider/domain/accounts/keyRules.ts'
import { durationText } from '@postrider/domain/time.ts'
import { z } from 'zod'
import { boundedArray, instantLike, listOf, oneOf, report, strictObject, time } from './schema.ts'
import { durationMs } from './times.ts'
import { modeText, scopeText } from './values.ts'

const name = z
  .string()
  .describe('Name for people, up to 100 characters.')
  .meta({ minLength: 1, maxLength: 100, example: 'production' })
const scope = oneOf(keyScopes)
const scopesText = `What the key may do. ${scopeText}`
/** Maximum number of entries of `scopes`, repetitions included. */
export const maxScopes = 100
const scopes = boundedArray(scope, { min: 1, max: maxScopes }).describe(scopesText)
const expires = z
  .string()
  .min(1)
  .pipe(instantLike('2030-01-31T12:00:00Z'))
  .meta({ format: 'date-time', example: '2030-01-31T12:00:00Z' })
/** No entry may be empty; the service reports it with the others. */
const entry = z.string().meta({ minLength: 1 })
const limitedTo = (path: keyof typeof maxRestrictions, array: z.ZodType) =>
  boundedArray(entry, { max: maxRestrictions[path], tooMany: tooManyRestrictions(path) }).meta(array.meta() ?? {})
const domains = z
  .array(entry)
  .describe(
    'Domains that `from_` may use: verified domains of the workspace, or subdomains of them. Each entry includes its subdomains; the shared sender is refused. Empty: every sender. At most 50 entries.',
  )
  .meta({ example: ['example.com'] })
const recipients = z
  .array(entry)
  .describe(
    'Addresses and domains that the key may send to, in `to`, `cc` and `bcc`. A domain does not include its subdomains; upper and lower case are the same. Empty: every recipient. At most 100.',
  )
  .meta({ example: ['jane@example.com', 'example.org'] })
const networks = z
  .array(entry)
  .describe(
    'CIDRs and addresses, IPv4 and IPv6, that the key may be used from; the address is that of the client behind trusted proxies. `::/0` includes no IPv4 address. Empty: any. At most 50.',
  )
  .meta({ example: ['203.0.113.0/24', '2001:db8::/32'] })

/** What a request may limit a key to: the array of the record, with a bound. */
const limits = {
  domains: limitedTo('domains', domains).optional(),
  networks: limitedTo('networks', networks).optional(),
  recipients: limitedTo('recipients', recipients).optional(),
}

/** Body of `POST /api/v1/api-keys`. */
export const CreateKey = strictObject({
  name,
  scopes: scopes.optional(),
  // Empty text is refused: the service reads it as the default.
  mode: z
    .string()
    .min(1)
    .optional()
    .describe(`Default \`live\`. ${modeText}`)
    .meta({ enum: [...keyModes] }),
  expires_at: expires.optional().describe('When the key expires (RFC 3339); absent: never.'),
  ...limits,
}).meta({ id: 'CreateApiKey' })

/** Body of `PATCH /api/v1/api-keys/{id}`: an absent field stays as it is. */
export const UpdateKey = strictObject({
  name: name.optional(),
  scopes: scopes.optional(),
  expires_at: expires.nullable().optional().describe('When the key expires (RFC 3339); null: never.'),
  ...limits,
}).meta({ id: 'UpdateApiKey' })

/** Body of `POST /api/v1/api-keys/{id}/roll`. */
export const RollKey = strictObject({
  overlap: z
    .string()
    .transform((text, context) => {
      const ms = durationMs(text)
      if (ms !== null && ms <= maxOverlapMs) return ms
      report(context, {
        code: 'invalid_duration',
        message: 'Must be a duration from PT0S to P7D, such as PT24H.',
        input: text,
      })
      return z.NEVER
    })
    .optional()
    .describe(
      'How long the old key stays valid (ISO 8601 duration): default `PT24H`, maximum `P7D`; `PT0S` ends it immediately.',
    )
    .meta({ example: 'PT24H' }),
}).meta({ id: 'RollApiKey' })

const fields = {
  object: z.literal('api_key'),
  id: z.string().meta({ example: 'key_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
  name: z.string(),
  scopes: z.array(scope).describe(scopesText),
  mode: oneOf(keyModes).describe(modeText),
  prefix: z.string().describe('The first characters of the key.').meta({ example: 'pr_live_8aX2' }),
  last_four: z.string().describe('The last four characters of the key.'),
  created_at: time(),
  expires_at: time().nullable().describe('When the key expires; null: never.'),
  last_used_at: time().nullable().describe('Time of the last use, rounded down to the minute; null: never.'),
  last_used_from: z
    .string()
    .nullable()
    .describe('The client’s address of that use; null: none is known.')
    .meta({ example: '203.0.113.9' }),
  unused_since: time()
    .nullable()
    .describe(
      `Set for a valid key that was not used for ${durationText(unusedAfterMs)}: its last use, or its creation. Null otherwise.`,
    ),
  notices: z
    .array(z.string())
    .describe('What the workspace should check, such as a key that is not used or that was replaced.'),
  rolled_to: z.string().nullable().describe('Id of the key that replaces this one; null: none.'),
  rolled_from: z.string().nullable().describe('Id of the key that this one replaces; null: none.'),
  revoked_at: time().nullable().describe('When the key was revoked; null: it is not revoked.'),
  domains,
  networks,
  recipients,
}

export const ApiKeyRecord = z.looseObject(fields).meta({ id: 'ApiKey' })

export const CreatedKeyRecord = z
  .looseObject({ ...fields, key: z.string().describe('The whole key. Only this response contains it.') })
  .meta({ id: 'CreatedApiKey' })

export const ApiKeyList = listOf(ApiKeyRecord, 'ApiKeyList')
