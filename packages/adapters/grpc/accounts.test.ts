import assert from 'node:assert/strict'
import {
  type Accounts,
  type AccountsRpc,
  type ApiKey,
  accountsSpec,
  type Caller,
  type SessionCaller,
  type ShownAuditEntry,
  type Workspace,
} from '@postrider/contracts/services.ts'
import { encodedCalls } from '../../../test/support/encodedCalls.ts'
import { accountsClient, accountsHandlers } from './accounts.ts'

const at = Date.UTC(2026, 10, 21, 12, 0, 0, 7)
const who = { workspace: 'ws_1', user: 'usr_1' }

const key: ApiKey = {
  id: 'key_1',
  name: 'k',
  scopes: ['emails:send'],
  mode: 'live',
  prefix: 'pr_live_8aX2',
  last_four: '1234',
  created_at: at,
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
  domains: [],
  networks: [],
  recipients: [],
  last_used_from: '',
  rolled_to: '',
  rolled_from: '',
  unused_since: null,
}
const used: ApiKey = { ...key, expires_at: at + 1, last_used_at: at + 2, revoked_at: at + 3, unused_since: at + 4 }

const workspace: Workspace = {
  id: 'ws_1',
  name: 'Acme',
  plan: 'free',
  sender_name: '',
  postal_address: '',
  on_unknown: 'retry',
  retention: null,
  suspended: false,
  note: '',
  created_at: at,
  suspended_reason: '',
  deletes_at: null,
}

const entry: ShownAuditEntry = {
  id: 'aud_1',
  workspace: 'ws_1',
  created_at: at,
  actor_type: 'user',
  actor_id: 'usr_1',
  actor_name: 'a@example.com',
  action: 'key.update',
  target: 'key_1',
  before: null,
  after: { name: 'k', networks: ['10.0.0.0/8'], rate: null },
  client_address: '192.0.2.1',
}

/** Returns a service whose method records its requests. */
const responding = (method: keyof Accounts, response: unknown, received: unknown[]) =>
  ({
    [method]: async (request: unknown) => {
      received.push(request)
      return response
    },
  }) as unknown as Accounts

/** Checks that a fake service gets a request, and its caller the response, through encoded gRPC messages. */
const assertCrosses = async <Method extends keyof Accounts>(
  method: Method,
  message: Parameters<Accounts[Method]>[0],
  response: Awaited<ReturnType<Accounts[Method]>>,
): Promise<void> => {
  const received: unknown[] = []
  const handlers = accountsHandlers(responding(method, response, received))
  const call = accountsClient(encodedCalls(accountsSpec, handlers))[method] as (request: unknown) => Promise<unknown>
  assert.deepEqual({ answered: await call(message), received }, { answered: response, received: [message] })
}

describe('accounts over gRPC messages', () => {
  it('keys cross with and without each time', async () => {
    const lists = { domains: [], networks: [], recipients: [] }
    const request = { ...who, name: 'k', scopes: ['emails:send'], mode: 'live', ...lists }
    await assertCrosses('CreateKey', { ...request, expires_at: null }, { key, secret: 'pr_live_1' })
    await assertCrosses('CreateKey', { ...request, expires_at: at }, { key: used, secret: 'pr_live_1' })
    await assertCrosses('ListKeys', { workspace: 'ws_1' }, { keys: [key, used] })
    await assertCrosses('RollKey', { ...who, id: 'key_1', overlap_ms: 5 }, { key, secret: 'pr_live_1' })
  })

  it('UpdateKey distinguishes absent fields from empty ones', async () => {
    const request = { ...who, id: 'key_1' }
    await assertCrosses('UpdateKey', request, key)
    await assertCrosses('UpdateKey', { ...request, expires_at: null, scopes: [], domains: [] }, key)
    const lists = { networks: ['10.0.0.0/8'], recipients: ['example.com'] }
    await assertCrosses('UpdateKey', { ...request, name: 'n', expires_at: at, ...lists }, used)
  })

  it('workspaces cross with and without a deletion', async () => {
    const deleted = { ...workspace, spending_cap_usd: 1.5, rate: 0, burst: 7, require_totp: true, deletes_at: at }
    const ofOperator = { workspace: 'ws_1', operator: 'usr_1' }
    await assertCrosses('GetWorkspace', { workspace: 'ws_1' }, workspace)
    await assertCrosses('UpdateWorkspace', { ...who, name: 'n', clear_spending_cap: true }, workspace)
    await assertCrosses('SetWorkspaceControls', { ...ofOperator, suspended: true, rate: 2.5, burst: null }, deleted)
    await assertCrosses('SetWorkspaceControls', { ...ofOperator, rate: 'plan', burst: 7 }, deleted)
    // The service refuses it, in a cluster as in one process.
    await assertCrosses('SetWorkspaceControls', { ...ofOperator, rate: 1e-7, burst: -1 }, deleted)
    await assertCrosses('DeleteWorkspace', ofOperator, deleted)
    await assertCrosses('RestoreWorkspace', ofOperator, workspace)
    const own = { ...who, password: 'p', client_address: '' }
    await assertCrosses('DeleteOwnWorkspace', own, deleted)
    const search = { limit: 2, before: '', query: '', plan: '' }
    await assertCrosses('ListWorkspaces', search, { workspaces: [workspace, deleted] })
    const membership = { id: 'ws_1', name: 'Acme', plan: 'free', role: 'owner', created_at: at }
    await assertCrosses('ListOwnWorkspaces', { user: 'usr_1' }, { workspaces: [membership] })
    await assertCrosses('CreateWorkspace', { user: 'usr_1', name: 'n', client_address: '' }, membership)
  })

  it('people cross with and without a time of their last use', async () => {
    const user = { id: 'usr_1', email: 'a@example.com', workspaces: [], created_at: at, disabled: false }
    const users = [
      { ...user, last_seen_at: null, disabled_reason: '' },
      { ...user, last_seen_at: at, disabled_reason: 'spam' },
    ] as const
    await assertCrosses('ListUsers', { limit: 2, before: '', query: '' }, { users: [...users] })
    await assertCrosses('GetUser', { id: 'usr_1' }, users[0])
    await assertCrosses('SetUserControls', { id: 'usr_1', disabled: true, reason: '' }, users[1])
    const operator = { id: 'usr_1', email: 'a@example.com', totp_enabled: true, disabled: false, since: at }
    const operators = [
      { ...operator, last_seen_at: null },
      { ...operator, last_seen_at: at },
    ] as const
    await assertCrosses('ListOperators', { limit: 2, before: '', query: '' }, { operators: [...operators] })
    await assertCrosses('AddOperator', { email: 'a@example.com', client_address: '' }, operators[0])
    const member = { user: 'usr_1', email: 'a@example.com', role: 'owner', joined_at: at, totp_enabled: false }
    const members = [
      { ...member, last_seen_at: null },
      { ...member, last_seen_at: at },
    ] as const
    await assertCrosses('ListMembers', { workspace: 'ws_1' }, { members: [...members] })
    await assertCrosses('ChangeMember', { ...who, member: 'usr_2', role: 'admin' }, members[0])
    await assertCrosses('TransferOwnership', { ...who, member: 'usr_2' }, members[1])
    const times = { created_at: at, last_used_at: at + 1 }
    const session = { id: 'ses_1', ...times, device: '', address: '', current: true }
    await assertCrosses('ListSessions', { token: 't' }, { sessions: [session] })
  })

  it('invitations cross with their times', async () => {
    const times = { created_at: at, sent_at: at + 1, expires_at: at + 2 }
    const invitation = {
      id: 'inv_1',
      email: 'b@x.example',
      role: 'member',
      invited_by: 'usr_1',
      ...times,
      expired: true,
    }
    await assertCrosses('Invite', { ...who, email: 'b@x.example', role: 'member' }, invitation)
    await assertCrosses('ListInvitations', { workspace: 'ws_1' }, { invitations: [invitation] })
    await assertCrosses('ResendInvitation', { ...who, id: 'inv_1' }, invitation)
    const offer = { workspace_name: 'Acme', inviter: 'a@x.example', role: 'member', email: 'b@x.example' }
    await assertCrosses('ReadInvitation', { token: 't' }, { ...offer, has_account: false, expires_at: at })
  })

  it('the audit log keeps its states structured', async () => {
    const redactions = [{ at, erasure: 'era_1', fields: ['before.email'] }]
    const entries = [entry, { ...entry, before: { name: 'a' }, after: null, redactions }]
    const page = { entries, has_more: true, last_position: { at, id: 'aud_1' } }
    const request = { user: 'usr_1', limit: 2, before: null }
    await assertCrosses('ListAudit', request, page)
    await assertCrosses('ListAudit', { ...request, before: { at, id: 'aud_2' } }, { ...page, last_position: null })
    await assertCrosses('ListAudit', { ...request, workspace: 'ws_1', created_after: at, created_before: at + 1 }, page)
  })

  it('callers cross with and without a deletion of their workspace', async () => {
    const caller: Caller = {
      workspace: 'ws_1',
      keyId: 'key_1',
      keyFamily: 'key_1',
      userId: null,
      role: null,
      mode: 'test',
      scopes: ['emails:send'],
      domains: [],
      recipients: [],
      needsTotp: false,
      senderName: '',
      hasPostalAddress: false,
      onUnknown: 'retry',
      retention: null,
      suspended: false,
      suspendedReason: null,
      deletesAt: null,
    }
    const deleted = {
      ...caller,
      suspended: true,
      suspendedReason: 'Fraud.',
      deletesAt: at,
      retention: 7,
      rate: 0,
      burst: 3,
    } as const
    const person: SessionCaller = {
      ...deleted,
      keyId: null,
      keyFamily: null,
      userId: 'usr_1',
      role: 'owner',
      onUnknown: 'hold',
    }
    await assertCrosses('AuthenticateKey', { hash: Buffer.from('h'), client_address: '' }, caller)
    await assertCrosses('AuthenticateKey', { hash: Buffer.from('h'), client_address: '' }, deleted)
    const session = { token: 't', csrf_token: 'c', email: 'a@example.com', caller: person }
    await assertCrosses('AuthenticateSession', { token: 't' }, session)
    const client = { client_address: '', user_agent: '' }
    await assertCrosses('LogIn', { email: 'a@example.com', password: 'p', client_address: '' }, session)
    await assertCrosses('SignInByLink', { token: 't', ...client }, session)
    const enabled = { session, recovery_codes: ['r'] }
    await assertCrosses('ConfirmTotp', { token: 't', code: '1', ...client }, enabled)
  })

  it('methods without times are passed on as they are', async () => {
    await assertCrosses('GetNotifications', { token: 't' }, { workspace: 'ws_1', kinds: { quota: true } })
    await assertCrosses('RevokeKey', { ...who, id: 'key_1' }, {})
  })
})

describe('messages of the last release about accounts', () => {
  const rpcOf = (method: keyof Accounts, response: unknown) => {
    const received: unknown[] = []
    return { rpc: encodedCalls(accountsSpec, accountsHandlers(responding(method, response, received))), received }
  }

  it('an expiry is understood with any offset, and refused if it is not a time', async () => {
    const { rpc, received } = rpcOf('UpdateKey', key)
    const request = { ...who, id: 'key_1', set_scopes: false, set_domains: false, set_networks: true }
    const update = (expires_at: string) =>
      rpc.UpdateKey({ ...request, expires_at } as Parameters<AccountsRpc['UpdateKey']>[0])
    await update('2026-11-21T13:00:00.007+01:00')
    await update('')
    const expected = { ...who, id: 'key_1', networks: [] }
    assert.deepEqual(received, [
      { ...expected, expires_at: at },
      { ...expected, expires_at: null },
    ])
    await assert.rejects(update('2026-02-30T00:00:00Z'), {
      code: 'validation_failed',
      message: /^expires_at: Must be a time/,
    })
  })

  it('records without the later fields are understood', async () => {
    const old = {
      GetWorkspace: async () => ({ id: 'ws_1', name: 'Acme', plan: 'free', created_at: '2026-11-21T12:00:00.007Z' }),
      ListAudit: async () => ({
        lines: [{ id: 'aud_1', created_at: '2026-11-21T12:00:00.007Z', action: 'key.update', before_json: '{"a":1}' }],
      }),
    } as unknown as AccountsRpc
    const client = accountsClient(encodedCalls(accountsSpec, old))
    assert.deepEqual(await client.GetWorkspace({ workspace: 'ws_1' }), { ...workspace, on_unknown: '' })
    const { entries } = await client.ListAudit({ user: '', limit: 1, before: null })
    const empty = { workspace: '', actor_type: '', actor_id: '', actor_name: '', target: '', client_address: '' }
    const known = { id: 'aud_1', created_at: at, action: 'key.update', before: { a: 1 }, after: null }
    assert.deepEqual(entries, [{ ...empty, ...known }])
  })
})
