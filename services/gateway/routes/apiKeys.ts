import { ApiKeyList, ApiKeyRecord, CreatedKeyRecord, CreateKey, UpdateKey } from '@postrider/contracts/http/apiKey.ts'
import { Id, Page } from '@postrider/contracts/http/schema.ts'
import { mostPageBytes } from '@postrider/domain/listPage.ts'
import { given } from '@postrider/kit/fault.ts'
import { listPage } from '../lists.ts'
import { apiKeyRecord, present } from '../records.ts'
import { sessionRoute } from '../route.ts'

const path = '/api/v1/api-keys'

export const createKey = sessionRoute({
  name: 'createApiKey',
  method: 'POST',
  path,
  session: true,
  tag: 'API keys',
  summary: 'Make an API key',
  description:
    'Only this response contains the key itself. Default: live, with `emails:send`, `emails:read`, `templates:write` and `templates:read`.',
  limit: 'write',
  body: CreateKey,
  reply: { status: 201, body: CreatedKeyRecord, description: 'The key.' },
  errors: ['forbidden', 'conflict'],
  handle: async ({ body, caller }, { accounts }) => {
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

export const listKeys = sessionRoute({
  name: 'listApiKeys',
  method: 'GET',
  path,
  session: true,
  tag: 'API keys',
  summary: 'List the workspace’s API keys',
  description: 'Includes recently revoked keys. Lists show the beginning and the end of a key and its last use.',
  limit: 'read',
  query: Page,
  answerBytes: mostPageBytes,
  reply: { status: 200, body: ApiKeyList, description: 'A page of keys, newest first.' },
  handle: async ({ query, caller: { workspace } }, { accounts, cursors }) => {
    const { limit, before, body } = listPage(cursors, path, workspace, query)
    // The accounts service returns all keys, newest first: a workspace has few. Ids sort by creation time.
    const { keys } = await accounts.ListKeys({ workspace })
    const older = before === '' ? keys : keys.filter(({ id }) => id < before)
    return { json: body(older.slice(0, limit).map(apiKeyRecord), older.length > limit) }
  },
})

export const updateKey = sessionRoute({
  name: 'updateApiKey',
  method: 'PATCH',
  path: '/api/v1/api-keys/:id',
  session: true,
  tag: 'API keys',
  summary: 'Change an API key',
  description: 'An absent field stays as it is. A revoked key cannot be changed.',
  limit: 'write',
  params: Id,
  body: UpdateKey,
  reply: { status: 200, body: ApiKeyRecord, description: 'The key after the change.' },
  errors: ['forbidden', 'conflict'],
  handle: async ({ params: { id }, body, caller }, { accounts, keyCache }) => {
    const { name, expires_at, scopes, domains, networks } = body
    const key = await accounts.UpdateKey({
      workspace: caller.workspace,
      user: caller.user_id,
      id,
      ...present({ name, expires_at: expires_at === null ? '' : expires_at }),
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

export const revokeKey = sessionRoute({
  name: 'revokeApiKey',
  method: 'DELETE',
  path: '/api/v1/api-keys/:id',
  session: true,
  tag: 'API keys',
  summary: 'Revoke an API key permanently',
  description: 'Takes effect everywhere within 5 seconds. Revoking again changes nothing.',
  limit: 'write',
  params: Id,
  reply: { status: 204, description: 'The key is revoked.' },
  errors: ['forbidden'],
  handle: async ({ params: { id }, caller }, { accounts, keyCache }) => {
    await accounts.RevokeKey({ workspace: caller.workspace, user: caller.user_id, id })
    keyCache.forget((known) => known.key_id === id)
    return { empty: true }
  },
})
