import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CreateKeyRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/CreateKeyRequest.ts'
import { type Allowance, newAllowance } from '@postrider/domain/quota/plans.ts'
import { type AccountsOptions, openAccounts } from './accounts.ts'
import { countedMetrics, memoryAccounts, memoryAudit, memoryLimiter, plainPasswords } from './fakes.ts'

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
  const store = memoryAccounts()
  const audit = memoryAudit()
  const metrics = countedMetrics()
  /** The plans that were set and not deleted, in order. */
  const plans: [workspace: string, change: Partial<Allowance>][] = []
  const options: AccountsOptions = {
    accounts: store,
    audit,
    limiter: memoryLimiter(),
    now: () => time,
    signup: 'open',
    defaultPlan: 'free',
    ledger: {
      setAllowance: async (workspace, change) => {
        plans.push([workspace, change])
        return { ...newAllowance, ...change }
      },
      deleteAllowance: async (workspace) => {
        plans.splice(0, plans.length, ...plans.filter(([id]) => id !== workspace))
      },
    },
    passwords: plainPasswords(),
    metrics,
    ...over,
  }
  const { accounts: service, ensureFirstWorkspace } = openAccounts(options)

  /** Signs up a new owner. */
  const owner = async (email = credentials.email) => {
    const { token, csrf_token, caller } = await service.SignUp({ ...credentials, email })
    return { token, csrf_token, workspace: caller?.workspace ?? '', user: caller?.user_id ?? '' }
  }

  const createKey = async (who: { workspace: string; user: string }, over: Partial<CreateKeyRequest__Output> = {}) => {
    const defaults = { name: 'Key', scopes: [], mode: '', expires_at: '', domains: [], networks: [] }
    const { key, secret } = await service.CreateKey({ workspace: who.workspace, user: who.user, ...defaults, ...over })
    if (key === null) throw new Error('the reply has no key')
    return { key, secret }
  }

  return {
    service,
    ensureFirstWorkspace,
    store,
    plans,
    audit,
    refused: metrics.refused,
    owner,
    createKey,
    now: () => time,
    advance: (ms: number): void => {
      time += ms
    },
    /** Lets deferred writes run. */
    drain: () => nextTurn(),
  }
}

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
