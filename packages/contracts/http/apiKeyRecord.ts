import { z } from 'zod'
import { closed } from './closed.ts'
import { listOf, time } from './lists.ts'

const name = z.string().describe('Name for people, up to 100 characters.').meta({ example: 'production' })
const scopes = z
  .array(z.string())
  .describe('What the key may do: `emails:send`, `emails:read`, `templates:write`, `templates:read`, …')
const expires = z.string().meta({ format: 'date-time' })
const domains = z.array(z.string()).describe('Sending domains it may use; empty: all.')
const networks = z.array(z.string()).describe('Addresses and CIDRs it may be used from; empty: any.')

/** Body of `POST /api/v1/api-keys`. */
export const CreateKey = closed({
  name,
  scopes: scopes.min(1).optional(),
  mode: z
    .string()
    .optional()
    .describe('`live` (default) or `test`: accepts and simulates, nothing leaves, nothing is counted.'),
  expires_at: expires.optional().describe('When it ends (RFC 3339); absent: never.'),
  domains: domains.optional(),
  networks: networks.optional(),
}).meta({ id: 'CreateApiKey' })

/** Body of `PATCH /api/v1/api-keys/{id}`: what is absent stays. */
export const UpdateKey = closed({
  name: name.optional(),
  scopes: scopes.optional(),
  expires_at: expires.nullable().optional().describe('When it ends (RFC 3339); null: never.'),
  domains: domains.optional(),
  networks: networks.optional(),
}).meta({ id: 'UpdateApiKey' })

const fields = {
  object: z.literal('api_key'),
  id: z.string().meta({ example: 'key_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
  name: z.string(),
  scopes: z.array(z.string()),
  mode: z.string().describe('`live` or `test`.'),
  prefix: z.string().describe('How the key begins.').meta({ example: 'pr_live_8aX2' }),
  last_four: z.string().describe('How it ends.'),
  created_at: time(),
  expires_at: time().nullable().describe('Null: never.'),
  last_used_at: time().nullable().describe('To the minute; null: never.'),
  revoked_at: time().nullable().describe('Null: it is valid.'),
  domains,
  networks,
}

export const ApiKeyRecord = z.looseObject(fields).meta({ id: 'ApiKey' })

export const CreatedKeyRecord = z
  .looseObject({ ...fields, key: z.string().describe('The whole key. It is told this once and never again.') })
  .meta({ id: 'CreatedApiKey' })

export const ApiKeyList = listOf(ApiKeyRecord, 'ApiKeyList')
