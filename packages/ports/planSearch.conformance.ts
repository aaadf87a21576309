import assert from 'node:assert/strict'
import { newUser } from '@postrider/domain/accounts/users.ts'
import { newWorkspace } from '@postrider/domain/accounts/workspaceRules.ts'
import { type Allowance, allowanceAt, type PlanName, planNames } from '@postrider/domain/quota/plans.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { AccountStore } from './accounts.ts'
import { anEntry } from './auditFixtures.conformance.ts'
import type { Ledger } from './ledger.ts'

/** The stores of one database. */
export type PlanStores = { accounts: AccountStore; ledger: Ledger }

const now = 5_000

/** Allowances whose stored plan is not always the one in effect. */
const stored: (Partial<Allowance> | null)[] = [
  null,
  { daily: 7 },
  { plan: 'pro' },
  { plan: 'pro', pending: { plan: 'free', at: now + 1 } },
  { plan: 'pro', pending: { plan: 'free', at: now } },
  { plan: 'unlimited' },
  { plan: 'unlimited', pending: { plan: 'pro', at: now } },
  { plan: 'free', pending: null },
]

/** Declares the tests of searches by plan: the ledger owns the plan, and accounts has only that of the sign-up. */
export const planSearchConformance = (adapter: string, open: () => PlanStores | Promise<PlanStores>) =>
  describe(`searches by plan in ${adapter}`, () => {
    const insert = async ({ accounts, ledger }: PlanStores, n: number, allowance: Partial<Allowance> | null) => {
      const user = newUser({ id: newId('usr'), email: `${n}@example.com`, passwordHash: 'x', createdAt: 1 })
      // The plan of the sign-up differs from every later one somewhere.
      const plan = planNames[n % planNames.length] ?? 'free'
      const workspace = newWorkspace({ id: newId('ws'), name: `W${n}`, plan, createdAt: 1 })
      assert.equal(await accounts.insertOwner(user, workspace, anEntry()), true)
      if (allowance !== null) await ledger.setAllowance(workspace.id, allowance)
      return workspace.id
    }
    const pagesOf = async ({ accounts }: PlanStores, name: PlanName, limit: number): Promise<string[]> => {
      const noFilter = { maxUsers: 10, text: null, suspended: null, deleting: null }
      const found: string[] = []
      for (;;) {
        const before = found.at(-1) ?? null
        const page = await accounts.findWorkspaces({ ...noFilter, plan: { name, at: now }, before, limit })
        if (page === 'too_many_users') assert.fail(page)
        found.push(...page.map(({ id }) => id))
        if (page.length < limit) return found
      }
    }

    it('find the plan in effect and not that of the sign-up, in pages, newest first', async () => {
      const stores = await open()
      const expected = new Map<PlanName, string[]>(planNames.map((name) => [name, []]))
      for (let n = 0; n < 3 * stored.length; n += 1) {
        const id = await insert(stores, n, stored[n % stored.length] ?? null)
        expected.get(allowanceAt(await stores.ledger.allowance(id), now).plan)?.push(id)
      }
      // A plan that a failed sign-up left has no workspace.
      await stores.ledger.setAllowance(newId('ws'), { plan: 'pro' })
      for (const name of planNames)
        for (const limit of [2, 100])
          assert.deepEqual(await pagesOf(stores, name, limit), expected.get(name)?.toSorted().reverse(), name)
    })

    it('combine with the other filters', async () => {
      const { accounts, ledger } = await open()
      const one = await insert({ accounts, ledger }, 1, { plan: 'pro' })
      await insert({ accounts, ledger }, 2, { plan: 'pro' })
      await insert({ accounts, ledger }, 11, { plan: 'free' })
      const query = { before: null, limit: 10, maxUsers: 10, text: 'w1', suspended: false, deleting: false }
      const found = await accounts.findWorkspaces({ ...query, plan: { name: 'pro', at: now } })
      if (found === 'too_many_users') assert.fail(found)
      assert.deepEqual(
        found.map(({ id }) => id),
        [one],
      )
      assert.deepEqual(await accounts.findWorkspaces({ ...query, suspended: true, plan: { name: 'pro', at: now } }), [])
    })
  })
