import assert from 'node:assert/strict'
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { CreateKeyRequest } from '@postrider/contracts/services.ts'
import { type LinkPurpose, newLink } from '@postrider/domain/accounts/links.ts'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import type { SenderDomain } from '@postrider/domain/domains/domain.ts'
import { type Allowance, newAllowance } from '@postrider/domain/quota/plans.ts'
import { type AccountsOptions, accountsService } from './accounts.ts'
import {
  countedMetrics,
  fakeLimiter,
  memoryAccounts,
  memoryAudit,
  memoryLinks,
  plainPasswords,
  recordedMails,
} from './fakes.ts'
import { memoryNotifications } from './fakesNotifications.ts'

/** 30 s after a full minute. */
const start = Date.UTC(2026, 10, 21, 12, 0, 30)

export const credentials = {
  email: 'ada@example.com',
  password: 'correct horse battery',
  workspace_name: 'Acme',
  client_address: '203.0.113.9',
}

/** The accounts service over in-memory stores, with a clock that only the test advances. */
export const testRig = (over: Partial<AccountsOptions> = {}) => {
  let time = start
  const audit = memoryAudit()
  const store = memoryAccounts(audit)
  const mails = recordedMails()
  const metrics = countedMetrics()
  /** The verified domains of workspaces. */
  const senders = new Map<string, SenderDomain[]>()
  /** The plans that were set and not deleted, in order. */
  const plans: [workspace: string, change: Partial<Allowance>][] = []
  const links = memoryLinks()
  const notifications = memoryNotifications(() => time)
  const options: AccountsOptions = {
    accounts: store,
    users: store,
    secrets: ['a-secret-of-at-least-32-characters'],
    links,
    mails,
    publicUrl: () => 'https://post.example',
    audit,
    domains: { senders: async (workspace) => senders.get(workspace) ?? [] },
    limiter: fakeLimiter(),
    now: () => time,
    signup: 'open',
    defaultPlan: 'free',
    ledger: {
      setAllowance: async (workspace, change) => {
        plans.push([workspace, change])
        return { ...newAllowance, ...change }
      },
      allowance: async (workspace) =>
        Object.assign({ ...newAllowance }, ...plans.filter(([id]) => id === workspace).map(([, change]) => change)),
      deleteAllowance: async (workspace) => {
        plans.splice(0, plans.length, ...plans.filter(([id]) => id !== workspace))
      },
    },
    passwords: plainPasswords(),
    notifications,
    events: notifications,
    metrics,
    ...over,
  }
  const { accounts: service, ensureFirstWorkspace, issueOwnerLink, resealSecrets } = accountsService(options)

  /** Signs up a new owner. */
  const owner = async (email = credentials.email) => {
    const { token, csrf_token, caller } = await service.SignUp({ ...credentials, email })
    // The mail that confirms the address.
    await mails.idle()
    return { token, csrf_token, workspace: caller?.workspace ?? '', user: caller?.userId ?? '' }
  }

  const createKey = async (who: { workspace: string; user: string }, over: Partial<CreateKeyRequest> = {}) => {
    const defaults = { name: 'Key', scopes: [], mode: '', expires_at: null, domains: [], networks: [], recipients: [] }
    return service.CreateKey({ workspace: who.workspace, user: who.user, ...defaults, ...over })
  }

  const logIn = async (email: string, password: string) => {
    const { token, csrf_token, caller } = await service.LogIn({ email, password, client_address: '203.0.113.9' })
    return { token, csrf_token, workspace: caller?.workspace ?? '', user: caller?.userId ?? '' }
  }

  /** Stores a link as if it had been mailed. */
  const insertLink = async ({ token, purpose, subject }: { token: string; purpose: LinkPurpose; subject: string }) => {
    const { link } = newLink({
      purpose,
      subject,
      address: credentials.email,
      at: time,
      random: () => Buffer.from(token, 'base64url'),
    })
    await links.insertLink(link)
  }

  return {
    service,
    logIn,
    insertLink,
    password: credentials.password,
    ensureFirstWorkspace,
    issueOwnerLink,
    resealSecrets,
    store,
    senders,
    plans,
    notifications,
    audit,
    mails,
    refused: metrics.refused,
    owner,
    createKey,
    now: () => time,
    advance: (ms: number): void => {
      time += ms
    },
    /** Lets deferred writes run. */
    drain: () => nextIteration(),
  }
}

/** Returns the token in the last mail. */
export const tokenIn = async ({ mails }: Pick<ReturnType<typeof testRig>, 'mails'>): Promise<string> => {
  await mails.idle()
  return /token=([\w-]{43})/.exec(mails.sent.at(-1)?.text ?? '')?.[1] ?? ''
}

/** Invites a new user, who accepts and is logged in. */
export const aColleague = async (
  rig: ReturnType<typeof testRig>,
  { workspace, user }: { workspace: string; user: string },
  role: Role,
  email: string,
) => {
  await rig.service.Invite({ workspace, user, email, role })
  const request = { token: await tokenIn(rig), password: `password of ${email}`, session_token: '', client_address: '' }
  const { token, caller } = await rig.service.AcceptInvitation({ ...request, code: '' })
  return { token, workspace, user: caller?.userId ?? '', password: request.password }
}

/** Fields of a login about its client. */
export const client = { client_address: '203.0.113.9', user_agent: 'curl/8' }

export const newPassword = 'another horse battery'

export type Rig = ReturnType<typeof testRig>

/** Returns the token of the newest link in the emails to an address. */
export const tokenFor = async ({ mails }: Rig, to: string): Promise<string> => {
  await mails.idle()
  const links = mails.sent
    .filter((mail) => mail.to === to)
    .flatMap(({ text }) => /\?token=([\w-]+)/.exec(text)?.[1] ?? [])
  return links.at(-1) ?? assert.fail(`no link was mailed to ${to}`)
}

/** Returns the subjects of the emails to an address. */
export const subjects = async ({ mails }: Rig, to = credentials.email): Promise<string[]> => {
  await mails.idle()
  return mails.sent.filter((mail) => mail.to === to).map(({ subject }) => subject)
}

/** Request with a link for any purpose. */
export const linkRequest = (token: string) => ({ token, purposes: [], client_address: '203.0.113.9' })

export const reset = (rig: Rig, token: string, password = newPassword) =>
  rig.service.ResetPassword({ token, password, client_address: '203.0.113.9' })

export const requestReset = (rig: Rig, email = credentials.email, client_address = '203.0.113.9') =>
  rig.service.RequestPasswordReset({ email, client_address })

export { dayMs, hourMs, minuteMs } from '@postrider/domain/time.ts'
