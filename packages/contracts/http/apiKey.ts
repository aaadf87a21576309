import { keyModes, scopes as keyScopes } from '@postrider/domain/accounts/apiKey.ts'
import { z } from 'zod'
import { emptyListOnly } from './notSupported.ts'
import { listOf, oneOf, strictObject, time } from './schema.ts'
import { modeText, scopeText } from './values.ts'

const name = z
  .string()
  .describe('Name for people, up to 100 characters.')
  .meta({ minLength: 1, maxLength: 100, example: 'production' })
const scope = oneOf(keyScopes)
const scopes = z.array(scope).describe(`What the key may do. ${scopeText}`)
const expires = z.string().meta({ format: 'date-time', example: '2030-01-31T12:00:00Z' })
const domains = emptyListOnly('Sending domains that the key may use; empty: all.')
const recipients = emptyListOnly('Addresses and domains that the key may send to; empty: all.')
const networks = z.array(z.string()).describe('Addresses and CIDRs that the key may be used from; empty: any.')

/** Body of `POST /api/v1/api-keys`. */
export const CreateKey = strictObject({
  name,
  scopes: scopes.min(1).optional(),
  mode: z
    .string()
    .optional()
    .describe(`Default \`live\`. ${modeText}`)
    .meta({ enum: [...keyModes] }),
  expires_at: expires.optional().describe('When the key expires (RFC 3339); absent: never.'),
  domains,
  networks: networks.optional(),
  recipients,
}).meta({ id: 'CreateApiKey' })

/** Body of `PATCH /api/v1/api-keys/{id}`: an absent field stays as it is. */
export const UpdateKey = strictObject({
  name: name.optional(),
  scopes: scopes.optional(),
  expires_at: expires.nullable().optional().describe('When the key expires (RFC 3339); null: never.'),
  domains,
  networks: networks.optional(),
  recipients,
}).meta({ id: 'UpdateApiKey' })

const fields = {
  object: z.literal('api_key'),
  id: z.string().meta({ example: 'key_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
  name: z.string(),
  scopes: z.array(scope).describe(`What the key may do. ${scopeText}`),
  mode: oneOf(keyModes).describe(modeText),
  prefix: z.string().describe('The first characters of the key.').meta({ example: 'pr_live_8aX2' }),
  last_four: z.string().describe('The last four characters of the key.'),
  created_at: time(),
  expires_at: time().nullable().describe('Null: never.'),
  last_used_at: time().nullable().describe('To the minute; null: never.'),
  revoked_at: time().nullable().describe('Null: the key is not revoked.'),
  domains: z
    .array(z.string())
    .describe('Sending domains of a key made by an earlier release. They have no effect yet; empty: all.'),
  networks,
}

export const ApiKeyRecord = z.looseObject(fields).meta({ id: 'ApiKey' })

export const CreatedKeyRecord = z
  .looseObject({ ...fields, key: z.string().describe('The whole key. Only this response contains it.') })
  .meta({ id: 'CreatedApiKey' })

export const ApiKeyList = listOf(ApiKeyRecord, 'ApiKeyList')
