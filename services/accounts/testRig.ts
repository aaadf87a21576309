import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CreateKeyRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/CreateKeyRequest.ts'
import { type AccountsOptions, accountsService } from './accounts.ts'
import { memoryAccounts, memoryAudit, memoryLimiter, plainPasswords } from './fakes.ts'

/** Half past a minute of an ordinary day. */
const start = Date.UTC(2026, 10, 21, 12, 0, 30)

export const credentials = {
  email: 'ada@example.com',
  password: 'correct horse battery',
  workspace_name: 'Acme',
  client_address: '203.0.113.9',
}

/** Accounts over memory with a clock that only the test moves. */
export const testRig = (over: Partial<AccountsOptions> = {}) => {
  let time = start
  const store = memoryAccounts()
  const audit = memoryAudit()
  const options: AccountsOptions = {
    accounts: store,
    audit,
    limiter: memoryLimiter(),
    now: () => time,
    signup: 'open',
    passwords: plainPasswords(),
    ...over,
  }
  const service = accountsService(options)

  /** An owner who just signed up. */
  const owner = async (email = credentials.email) => {
    const { token, csrf_token, caller } = await service.SignUp({ ...credentials, email })
    return { token, csrf_token, workspace: caller?.workspace ?? '', user: caller?.user_id ?? '' }
  }

  const createKey = async (who: { workspace: string; user: string }, over: Partial<CreateKeyRequest__Output> = {}) => {
    const defaults = { name: 'Key', scopes: [], mode: '', expires_at: '', domains: [], networks: [] }
    const { key, secret } = await service.CreateKey({ workspace: who.workspace, user: who.user, ...defaults, ...over })
    if (key === null) throw new Error('no key came')
    return { key, secret }
  }

  return {
    service,
    store,
    audit,
    options,
    owner,
    createKey,
    now: () => time,
    advance: (ms: number): void => {
      time += ms
    },
    /** Lets what is written after an answer be written. */
    drain: () => nextTurn(),
  }
}

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
