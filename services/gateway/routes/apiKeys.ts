import {
  ApiKeyList,
  ApiKeyRecord,
  CreatedKeyRecord,
  CreateKey,
  RollKey,
  UpdateKey,
} from '@postrider/contracts/http/apiKey.ts'
import { Id, Page } from '@postrider/contracts/http/schema.ts'
import { defaultOverlapMs } from '@postrider/domain/accounts/keyRules.ts'
import { maxPageBytes } from '@postrider/domain/listPage.ts'
import { refusedKey } from '../checks/refusedBodies.ts'
import { listPage } from '../lists.ts'
import { apiKeyRecord } from '../records/keyRecords.ts'
import { present, sessionRoute } from '../route.ts'

const path = '/api/v1/api-keys'

export const createKey = sessionRoute({
  name: 'createApiKey',
  method: 'POST',
  path,
  session: 'keys:write',
  tag: 'API keys',
  summary: 'Make an API key',
  description:
    'Only this response contains the key itself. Default: live, with `emails:send`, `emails:read`, `templates:write` and `templates:read`. ' +
    '`domains`, `networks` and `recipients` limit the key: requests from other networks and other senders get 403, other recipients 422. ' +
    'A key stays limited to a domain that is deleted later, and cannot send from it.',
  limit: 'write',
  body: CreateKey,
  serviceProblems: refusedKey,
  reply: { status: 201, body: CreatedKeyRecord, description: 'The key.' },
  errors: ['forbidden', 'conflict'],
  handle: async ({ body, caller, clientAddress }, { accounts }) => {
    const { key, secret } = await accounts.CreateKey({
      workspace: caller.workspace,
      user: caller.userId,
      client_address: clientAddress,
      name: body.name,
      scopes: body.scopes ?? [],
      mode: body.mode ?? 'live',
      expires_at: body.expires_at ?? null,
      domains: body.domains ?? [],
      networks: body.networks ?? [],
      recipients: body.recipients ?? [],
    })
    return { json: { ...apiKeyRecord(key), key: secret } }
  },
})

export const listKeys = sessionRoute({
  name: 'listApiKeys',
  method: 'GET',
  path,
  session: 'keys:read',
  tag: 'API keys',
  summary: 'List the workspace’s API keys',
  description: 'Includes recently revoked keys. Lists show the beginning and the end of a key and its last use.',
  limit: 'read',
  query: Page,
  responseBytes: maxPageBytes,
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
  session: 'keys:write',
  tag: 'API keys',
  summary: 'Change an API key',
  description:
    'An absent field stays as it is, and an empty list of `domains`, `networks` or `recipients` removes the limit. A revoked key cannot be changed. The expiry of a replaced key can only be made earlier.',
  limit: 'write',
  params: Id,
  body: UpdateKey,
  serviceProblems: refusedKey,
  reply: { status: 200, body: ApiKeyRecord, description: 'The key after the change.' },
  errors: ['forbidden', 'conflict'],
  handle: async ({ params: { id }, body, caller, clientAddress }, { accounts, keyCache }) => {
    const { name, expires_at, scopes, domains, networks, recipients } = body
    const key = await accounts.UpdateKey({
      workspace: caller.workspace,
      user: caller.userId,
      client_address: clientAddress,
      id,
      ...present({ name, expires_at, scopes, domains, networks, recipients }),
    })
    keyCache.forget((known) => known.keyId === id)
    return { json: apiKeyRecord(key) }
  },
})

export const rollKey = sessionRoute({
  name: 'rollApiKey',
  method: 'POST',
  path: '/api/v1/api-keys/:id/roll',
  session: 'keys:write',
  tag: 'API keys',
  summary: 'Replace an API key',
  description:
    'Makes a key with the same name, scopes, mode, limits and expiry. Only this response contains it. The old key expires at the end of the overlap, or at its own expiry if that is earlier. ' +
    'Both count as the same key: each reads mail that the other sent. A key that is revoked, expired or replaced already is refused (409).',
  limit: 'write',
  params: Id,
  body: RollKey,
  isBodyOptional: true,
  reply: { status: 201, body: CreatedKeyRecord, description: 'The new key.' },
  errors: ['forbidden', 'conflict'],
  handle: async ({ params: { id }, body, caller, clientAddress }, { accounts, keyCache }) => {
    const { key, secret } = await accounts.RollKey({
      workspace: caller.workspace,
      user: caller.userId,
      id,
      client_address: clientAddress,
      overlap_ms: body.overlap ?? defaultOverlapMs,
    })
    keyCache.forget((known) => known.keyId === id)
    return { json: { ...apiKeyRecord(key), key: secret } }
  },
})

export const revokeKey = sessionRoute({
  name: 'revokeApiKey',
  method: 'DELETE',
  path: '/api/v1/api-keys/:id',
  session: 'keys:write',
  tag: 'API keys',
  summary: 'Revoke an API key permanently',
  description: 'Takes effect everywhere within 5 seconds. Revoking again changes nothing.',
  limit: 'write',
  params: Id,
  reply: { status: 204, description: 'The key is revoked.' },
  errors: ['forbidden'],
  handle: async ({ params: { id }, caller, clientAddress }, { accounts, keyCache }) => {
    const who = { workspace: caller.workspace, user: caller.userId, client_address: clientAddress }
    await accounts.RevokeKey({ ...who, id })
    keyCache.forget((known) => known.keyId === id)
    return { empty: true }
  },
})
