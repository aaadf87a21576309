import type { ApiKey__Output as ApiKey } from '@postrider/contracts/gen/postrider/accounts/v1/ApiKey.ts'

/** An API key as lists show it: never the key itself. */
export const apiKeyRecord = (key: ApiKey) => ({
  object: 'api_key' as const,
  id: key.id,
  name: key.name,
  scopes: key.scopes,
  mode: key.mode,
  prefix: key.prefix,
  last_four: key.last_four,
  created_at: key.created_at,
  expires_at: key.expires_at || null,
  last_used_at: key.last_used_at || null,
  revoked_at: key.revoked_at || null,
  domains: key.domains,
  networks: key.networks,
})
