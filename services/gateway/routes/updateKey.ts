import { ApiKeyRecord, UpdateKey } from '@postrider/contracts/http/apiKeyRecord.ts'
import { Id } from '@postrider/contracts/http/lists.ts'
import type { Accounts } from '@postrider/contracts/services.ts'
import { apiKeyRecord } from '../apiKeyRecord.ts'
import type { KeyCache } from '../keyCache.ts'
import { sessionRoute } from '../route.ts'

export const updateKey = sessionRoute({
  name: 'updateApiKey',
  method: 'PATCH',
  path: '/api/v1/api-keys/:id',
  session: true,
  tag: 'API keys',
  summary: 'Change an API key',
  description: 'What is absent stays. A revoked key can’t be changed.',
  limit: 'write',
  params: Id,
  body: UpdateKey,
  reply: { status: 200, body: ApiKeyRecord, description: 'The key after the change.' },
  errors: ['forbidden', 'conflict'],
  handle: async (
    { params: { id }, body, caller },
    { accounts, keyCache }: { accounts: Pick<Accounts, 'UpdateKey'>; keyCache: KeyCache },
  ) => {
    const { name, expires_at, scopes, domains, networks } = body
    const key = await accounts.UpdateKey({
      workspace: caller.workspace,
      user: caller.user_id,
      id,
      ...(name !== undefined && { name }),
      ...(expires_at !== undefined && { expires_at: expires_at ?? '' }),
      set_scopes: scopes !== undefined,
      scopes: scopes ?? [],
      set_domains: domains !== undefined,
      domains: domains ?? [],
      set_networks: networks !== undefined,
      networks: networks ?? [],
    })
    keyCache.forget((known) => known.key_id === id)
    return { json: apiKeyRecord(key) }
  },
})
