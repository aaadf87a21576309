import assert from 'node:assert/strict'
import { newUser } from '@postrider/domain/accounts/users.ts'
import { aWorkspace } from './accounts.conformance.ts'
import type { AccountStore } from './accounts.ts'
import { anEntry, entryIfChanged } from './auditFixtures.conformance.ts'
import type { Suspensions } from './suspensions.ts'

type Stores = { accounts: AccountStore; suspensions: Suspensions }

/** Declares the tests that every adapter of suspensions must pass. */
export const suspensionsConformance = (adapter: string, open: () => Stores | Promise<Stores>) =>
  describe(`suspensions in ${adapter}`, () => {
    const add = async ({ accounts }: Stores, id: string): Promise<void> => {
      const user = newUser({ id: `usr_${id}`, email: `${id}@example.com`, passwordHash: 'x', createdAt: 1_000 })
      await accounts.insertOwner(user, aWorkspace(id), anEntry())
    }

    it('contain no workspace at first', async () => {
      const stores = await open()
      await add(stores, 'ws_1')
      assert.deepEqual([...(await stores.suspensions.suspended())], [])
    })

    it('contain exactly the workspaces that are suspended, immediately', async () => {
      const stores = await open()
      for (const id of ['ws_1', 'ws_2', 'ws_3']) await add(stores, id)
      for (const id of ['ws_1', 'ws_3']) await stores.accounts.changeWorkspace(id, { suspended: true }, entryIfChanged)
      assert.deepEqual([...(await stores.suspensions.suspended())].sort(), ['ws_1', 'ws_3'])
      await stores.accounts.changeWorkspace('ws_1', { suspended: false }, entryIfChanged)
      await stores.accounts.changeWorkspace('ws_3', { note: 'still suspended' }, entryIfChanged)
      assert.deepEqual([...(await stores.suspensions.suspended())], ['ws_3'])
    })
  })
