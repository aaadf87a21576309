import { Id } from '@postrider/contracts/http/lists.ts'
import type { Accounts } from '@postrider/contracts/services.ts'
import type { KeyCache } from '../keyCache.ts'
import { sessionRoute } from '../route.ts'

export const revokeKey = sessionRoute({
  name: 'revokeApiKey',
  method: 'DELETE',
  path: '/api/v1/api-keys/:id',
  session: true,
  tag: 'API keys',
  summary: 'Revoke an API key for good',
  description: 'Effective everywhere within 5 seconds. Revoking again changes nothing.',
  limit: 'write',
  params: Id,
  reply: { status: 204, description: 'The key is revoked.' },
  errors: ['forbidden'],
  handle: async (
    { params: { id }, caller },
    { accounts, keyCache }: { accounts: Pick<Accounts, 'RevokeKey'>; keyCache: KeyCache },
  ) => {
    await accounts.RevokeKey({ workspace: caller.workspace, user: caller.user_id, id })
    keyCache.forget((known) => known.key_id === id)
    return { empty: true }
  },
})
