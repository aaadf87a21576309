import {
  acceptedAt,
  auditEntry,
  deliveredAt,
  exampleOf,
  keyId,
  list,
  type OperationExamples,
  sender,
  workspaceId,
} from './parts.ts'

const apiKey = {
  object: 'api_key',
  id: keyId,
  name: 'production',
  scopes: ['emails:send', 'emails:read', 'templates:write', 'templates:read'],
  mode: 'live',
  prefix: 'pr_live_8aX2',
  last_four: 'k9Qz',
  created_at: acceptedAt,
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
  domains: [],
  networks: [],
  recipients: [],
  last_used_from: null,
  unused_since: null,
  notices: [],
  rolled_to: null,
  rolled_from: null,
}

const session = {
  user: {
    id: 'usr_01jd7w3k5vf2ya4m9x0q8r6t1n',
    email: 'jane@example.com',
    email_confirmed: true,
    totp_enabled: false,
    operator: false,
  },
  workspace: { id: workspaceId, name: 'Acme', plan: 'free', require_totp: false, sender },
  role: 'owner',
  csrf_token: 'b1cWb2lJ6Xk0Yv3nq7T5sA',
}

const linkToken = 'q2Vt0b8yN4mXc1sZr7KfLw9DgHj3PaEuIo5TxQyRzBk'

const notificationPreferences = {
  object: 'notification_preferences',
  workspace: workspaceId,
  quota: true,
  domains: true,
  webhooks: true,
  reputation: true,
  sign_in: true,
}

const totpSecret = 'MES2ZYATJR6OHGZSBIXEC5F32NZ7RMOM'

const mailRequest = (detail: string) => ({ object: 'mail_request', detail })

const workspace = {
  object: 'workspace',
  id: workspaceId,
  name: 'Acme',
  plan: 'free',
  sender,
  sender_name: '',
  postal_address: '',
  on_unknown: 'retry',
  retention: null,
  spending_cap_usd: null,
  require_totp: false,
  suspended: false,
  suspended_reason: null,
  deletes_at: null,
  created_at: acceptedAt,
}

const member = {
  object: 'member',
  user: { id: 'usr_01jd7w3k5vf2ya4m9x0q8r6t1p', email: 'john@example.com' },
  role: 'member',
  joined_at: acceptedAt,
  totp_enabled: true,
  last_seen_at: '2026-11-21T10:15:00.000Z',
}

const invitation = {
  object: 'invitation',
  id: 'inv_01jd7w3k5vf2ya4m9x0q8r6t1n',
  email: 'john@example.com',
  role: 'member',
  status: 'pending',
  invited_by: 'usr_01jd7w3k5vf2ya4m9x0q8r6t1n',
  created_at: acceptedAt,
  sent_at: acceptedAt,
  expires_at: '2026-11-28T10:00:00.000Z',
}

const membership = {
  object: 'workspace_membership',
  id: workspaceId,
  name: 'Acme',
  plan: 'free',
  role: 'owner',
  current: true,
  created_at: acceptedAt,
}

/** Examples of the operations on users, sessions, members, workspaces and keys. */
export const accountExamples: Readonly<Record<string, OperationExamples>> = {
  signUp: {
    requests: exampleOf('A user with a workspace', {
      email: 'jane@example.com',
      password: 'correct horse battery staple',
      workspace_name: 'Acme',
    }),
    reply: session,
  },
  logIn: {
    requests: exampleOf('A user', { email: 'jane@example.com', password: 'correct horse battery staple' }),
    reply: session,
  },
  getSession: { reply: session },
  confirmEmail: {
    requests: exampleOf('The token of the link', { token: linkToken }),
    reply: { object: 'email_address', email: 'jane@example.com', email_confirmed: true },
  },
  resendConfirmation: { reply: mailRequest('An email with a new link is sent to your email address.') },
  changeEmail: {
    requests: exampleOf('A new address', { email: 'jane@new.example', password: 'correct horse battery staple' }),
    reply: mailRequest('An email with a link is sent to the new address; it changes when the link is used.'),
  },
  requestPasswordReset: {
    requests: exampleOf('An address', { email: 'jane@example.com' }),
    reply: mailRequest('If this address has an account, an email with a link was sent to it.'),
  },
  resetPassword: {
    requests: exampleOf('The token of the link', { token: linkToken, password: 'another horse battery staple' }),
  },
  changePassword: {
    requests: exampleOf('A new password', {
      current: 'correct horse battery staple',
      password: 'another horse battery staple',
    }),
    reply: session,
  },
  startTotp: {
    reply: {
      object: 'totp',
      secret: totpSecret,
      uri: `otpauth://totp/Postrider:jane%40example.com?issuer=Postrider&secret=${totpSecret}&algorithm=SHA1&digits=6&period=30`,
      qr_svg: '<svg viewBox="0 0 57 57" xmlns="http://www.w3.org/2000/svg">…</svg>',
    },
  },
  confirmTotp: {
    requests: exampleOf('The code of the app', { code: '123456' }),
    reply: {
      object: 'totp',
      recovery_codes: ['wewp-jh25-2qjb-bmm2', 'd4uj-7lbf-6ckd-uvyx'],
      ...session,
      user: { ...session.user, totp_enabled: true },
    },
  },
  disableTotp: { requests: exampleOf('The code of the app', { code: '123456' }) },
  listSessions: {
    reply: {
      object: 'list',
      data: [
        {
          object: 'session',
          id: 'ses_01jd7w3k5vf2ya4m9x0q8r6t1n',
          created_at: acceptedAt,
          last_used_at: deliveredAt,
          device: 'Firefox on Linux',
          address: '192.0.2.1',
          current: true,
        },
      ],
      has_more: false,
      next_cursor: null,
    },
  },
  revokeOtherSessions: { reply: { object: 'revoked_sessions', count: 2 } },
  getNotifications: { reply: notificationPreferences },
  updateNotifications: {
    requests: exampleOf('Without emails about quotas', { quota: false }),
    reply: { ...notificationPreferences, quota: false },
  },
  getWorkspace: { reply: workspace },
  updateWorkspace: {
    requests: exampleOf('Sender name and postal address', {
      sender_name: 'Acme',
      postal_address: 'Acme, 1 Main Street, 12345 Springfield',
    }),
    reply: { ...workspace, sender_name: 'Acme', postal_address: 'Acme, 1 Main Street, 12345 Springfield' },
  },
  deleteOwnWorkspace: {
    requests: exampleOf('Your password', { password: 'correct horse battery staple' }),
    reply: {
      ...workspace,
      suspended: true,
      deletes_at: '2026-11-28T10:00:00.000Z',
    },
  },
  createApiKey: {
    requests: {
      live: { summary: 'A live key that sends', value: { name: 'production', scopes: ['emails:send'] } },
      test: {
        summary: 'A test key for one network',
        value: { name: 'tests', mode: 'test', networks: ['192.0.2.0/24'], expires_at: '2030-01-31T12:00:00Z' },
      },
      staging: {
        summary: 'A staging key that sends only to colleagues',
        value: { name: 'staging', scopes: ['emails:send'], recipients: ['example.org', 'jane@example.com'] },
      },
    },
    reply: {
      ...apiKey,
      scopes: ['emails:send'],
      key: 'pr_live_8aX2…k9Qz',
    },
  },
  listApiKeys: { reply: list(apiKey) },
  updateApiKey: {
    requests: exampleOf('Another name, and no expiry', { name: 'production 2', expires_at: null }),
    reply: { ...apiKey, name: 'production 2' },
  },
  rollApiKey: {
    requests: exampleOf('The old key is valid for two more hours', { overlap: 'PT2H' }),
    reply: { ...apiKey, rolled_from: 'key_01jd7w3k5vf2ya4m9x0q8r6t1m', key: 'pr_live_8aX2…k9Qz' },
  },
  listAuditLog: { reply: list(auditEntry) },
  listMembers: { reply: list(member) },
  updateMember: { requests: exampleOf('Another role', { role: 'admin' }), reply: { ...member, role: 'admin' } },
  transferOwnership: { reply: { ...member, role: 'owner' } },
  createInvitation: {
    requests: exampleOf('A member', { email: 'john@example.com', role: 'member' }),
    reply: invitation,
  },
  listInvitations: { reply: list(invitation) },
  resendInvitation: { reply: { ...invitation, sent_at: deliveredAt } },
  acceptInvitation: {
    requests: exampleOf('A new user', { token: 'q1W2e3R4…', password: 'correct horse battery staple' }),
    reply: { ...session, role: 'member' },
  },
  listOwnWorkspaces: { reply: list(membership) },
  createWorkspace: {
    requests: exampleOf('A workspace', { name: 'Acme Labs' }),
    reply: { ...membership, name: 'Acme Labs', current: false },
  },
  switchWorkspace: { requests: exampleOf('Another workspace', { workspace: workspaceId }), reply: session },
}
