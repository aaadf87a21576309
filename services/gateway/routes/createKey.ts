import { CreatedKeyRecord, CreateKey } from '@postrider/contracts/http/apiKeyRecord.ts'
import type { Accounts } from '@postrider/contracts/services.ts'
import { given } from '@postrider/kit/fault.ts'
import { apiKeyRecord } from '../apiKeyRecord.ts'
import { sessionRoute } from '../route.ts'

export const createKey = sessionRoute({
  name: 'createApiKey',
  method: 'POST',
  path: '/api/v1/api-keys',
  session: true,
  tag: 'API keys',
  summary: 'Make an API key',
  description:
    'The answer is the only place where the key itself stands. Default: live, with `emails:send`, `emails:read`, `templates:write` and `templates:read`.',
  limit: 'write',
  body: CreateKey,
  reply: { status: 201, body: CreatedKeyRecord, description: 'The key.' },
  errors: ['forbidden', 'conflict'],
  handle: async ({ body, caller }, { accounts }: { accounts: Pick<Accounts, 'CreateKey'> }) => {
    const { key, secret } = await accounts.CreateKey({
      workspace: caller.workspace,
      user: caller.user_id,
      name: body.name,
      scopes: body.scopes ?? [],
      mode: body.mode ?? 'live',
      expires_at: body.expires_at ?? '',
      domains: body.domains ?? [],
      networks: body.networks ?? [],
    })
    return { json: { ...apiKeyRecord(given(key, 'key')), key: secret } }
  },
})
