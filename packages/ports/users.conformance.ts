import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { newUser, type Totp, type User } from '@postrider/domain/accounts/users.ts'
import { newId } from '@postrider/kit/ids.ts'
import { aWorkspace } from './accounts.conformance.ts'
import type { AccountStore } from './accounts.ts'
import { anEntry } from './auditFixtures.conformance.ts'
import type { UserStore } from './users.ts'

type Stores = { accounts: AccountStore; users: UserStore }
type Open = () => Stores | Promise<Stores>

const sha256 = (text: string): Uint8Array => new Uint8Array(createHash('sha256').update(text).digest())

const aTotp = (over: Partial<Totp> = {}): Totp => ({ sealed: 's1', enabledAt: 5, lastStep: 10, recovery: [], ...over })

const withUser = async ({ accounts, users }: Stores, over: Partial<User> = {}) => {
  const id = newId('usr')
  const user = { ...newUser({ id, email: `${id}@example.com`, passwordHash: 'x', createdAt: 1 }), ...over }
  const workspace = aWorkspace(newId('ws'))
  assert.equal(await accounts.insertOwner(user, workspace, anEntry()), true)
  assert.deepEqual(await users.user(id), user)
  return { user, workspace }
}

const changesSuite = (open: Open): void => {
  it('changes the given fields if the expected fields have not changed', async () => {
    const stores = await open()
    const { user } = await withUser(stores)
    const change = { passwordHash: 'y', emailConfirmedAt: 7, sessionsSince: 9, totp: aTotp() }
    const expected = { email: user.email, passwordHash: 'x', totp: null }
    assert.equal(await stores.users.changeUser(user.id, change, expected, anEntry()), 'changed')
    assert.deepEqual(await stores.users.user(user.id), { ...user, ...change })
    assert.equal(await stores.users.changeUser(user.id, { totp: null }, { totp: 's1' }, anEntry()), 'changed')
    assert.equal((await stores.users.user(user.id))?.totp, null)
  })

  for (const expected of [{ email: 'eve@example.com' }, { passwordHash: 'z' }, { totp: 's9' }])
    it(`changes nothing if another ${Object.keys(expected)[0]} is expected`, async () => {
      const stores = await open()
      const { user } = await withUser(stores)
      assert.equal(await stores.users.changeUser(user.id, { passwordHash: 'y' }, expected, anEntry()), 'lost')
      assert.deepEqual(await stores.users.user(user.id), user)
    })

  it('makes one of twenty concurrent changes that expect the same state', async () => {
    const stores = await open()
    const { user } = await withUser(stores)
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        stores.users.changeUser(user.id, { passwordHash: `new ${n}` }, { passwordHash: 'x' }, anEntry()),
      ),
    )
    assert.equal(results.filter((result) => result === 'changed').length, 1)
  })

  it('reports an address that another user has, and finds a user by the new address', async () => {
    const stores = await open()
    const [{ user }, { user: other }] = [await withUser(stores), await withUser(stores)]
    assert.equal(await stores.users.changeUser(user.id, { email: other.email }, {}, anEntry()), 'taken')
    assert.equal(await stores.users.changeUser(user.id, { email: 'new@example.com' }, {}, anEntry()), 'changed')
    assert.equal((await stores.accounts.userByEmail('new@example.com'))?.id, user.id)
    assert.equal(await stores.accounts.userByEmail(user.email), null)
  })

  it('reports an unknown user as lost', async () => {
    const { users } = await open()
    assert.equal(await users.user(newId('usr')), null)
    assert.equal(await users.changeUser(newId('usr'), { passwordHash: 'y' }, {}, anEntry()), 'lost')
  })
}

const codesSuite = (open: Open): void => {
  it('uses the code of a period once, and none of an earlier period', async () => {
    const stores = await open()
    const { user } = await withUser(stores, { totp: aTotp({ lastStep: 10 }) })
    const used = await Promise.all(Array.from({ length: 20 }, () => stores.users.useTotpStep(user.id, 11)))
    assert.equal(used.filter(Boolean).length, 1)
    assert.equal(await stores.users.useTotpStep(user.id, 10), false)
    assert.equal(await stores.users.useTotpStep(user.id, 12), true)
    const { user: without } = await withUser(stores)
    assert.equal(await stores.users.useTotpStep(without.id, 11), false)
  })

  it('uses a recovery code once', async () => {
    const stores = await open()
    const { user } = await withUser(stores, { totp: aTotp({ recovery: ['a', 'b'] }) })
    const used = await Promise.all(
      Array.from({ length: 20 }, () => stores.users.useRecoveryCode(user.id, 'a', anEntry())),
    )
    assert.equal(used.filter(Boolean).length, 1)
    assert.equal(await stores.users.useRecoveryCode(user.id, 'c', anEntry()), false)
    assert.deepEqual((await stores.users.user(user.id))?.totp?.recovery, ['b'])
  })

  it('lists users with a second factor in pages, and replaces the encrypted secret that was read', async () => {
    const stores = await open()
    await withUser(stores)
    const ids: string[] = []
    for (const sealed of ['a', 'b', 'c']) ids.push((await withUser(stores, { totp: aTotp({ sealed }) })).user.id)
    const [first, second, third] = ids.toSorted() as [string, string, string]
    const listed = async (after: string) => (await stores.users.totpUsers(after, 2)).map(({ id }) => id)
    assert.deepEqual(await listed(''), [first, second])
    assert.deepEqual(await listed(second), [third])
    const { totp } = (await stores.users.user(first)) ?? assert.fail()
    await stores.users.resealTotp(first, 'another', 'lost')
    await stores.users.resealTotp(first, totp?.sealed ?? '', 'new')
    assert.deepEqual((await stores.users.user(first))?.totp, { ...totp, sealed: 'new' })
  })
}

const sessionsSuite = (open: Open): void => {
  const openSessions = async ({ accounts }: Stores, { user, workspace }: Awaited<ReturnType<typeof withUser>>) => {
    for (const [name, seenAt] of [
      ['a', 10],
      ['b', 30],
      ['c', 20],
    ] as const)
      await accounts.insertSession(
        {
          hash: sha256(`${user.id} ${name}`),
          user: user.id,
          workspace: workspace.id,
          csrfSalt: '',
          totpEnabledAt: null,
          createdAt: 5,
          seenAt,
          device: name,
          address: '192.0.2.1',
        },
        anEntry(),
      )
  }

  it('lists the sessions of a user, the last used one first', async () => {
    const stores = await open()
    const [own, other] = [await withUser(stores), await withUser(stores)]
    await openSessions(stores, own)
    await openSessions(stores, other)
    const devices = async (seenAfter: number, limit: number) =>
      (await stores.users.sessionsOf(own.user.id, seenAfter, limit)).map(({ device }) => device)
    assert.deepEqual(await devices(10, 9), ['b', 'c'])
    assert.deepEqual(await devices(0, 2), ['b', 'c'])
    const [first] = await stores.users.sessionsOf(own.user.id, 0, 1)
    assert.deepEqual(
      { ...first, hash: [...(first?.hash ?? [])] },
      {
        hash: [...sha256(`${own.user.id} b`)],
        user: own.user.id,
        workspace: own.workspace.id,
        csrfSalt: '',
        totpEnabledAt: null,
        createdAt: 5,
        seenAt: 30,
        device: 'b',
        address: '192.0.2.1',
      },
    )
  })

  it('deletes the sessions of one user, all or all but one', async () => {
    const stores = await open()
    const [own, other] = [await withUser(stores), await withUser(stores)]
    await openSessions(stores, own)
    await openSessions(stores, other)
    assert.equal(await stores.users.deleteSessionsOf(own.user.id, sha256(`${own.user.id} a`), anEntry()), 2)
    assert.deepEqual(
      (await stores.users.sessionsOf(own.user.id, 0, 9)).map(({ device }) => device),
      ['a'],
    )
    assert.equal(await stores.users.deleteSessionsOf(own.user.id, null, anEntry()), 1)
    assert.equal(await stores.users.deleteSessionsOf(own.user.id, null, anEntry()), 0)
    assert.equal((await stores.users.sessionsOf(other.user.id, 0, 9)).length, 3)
  })

  it('show the confirmed address, the second factor and the change of the password of their user', async () => {
    const stores = await open()
    const own = await withUser(stores, { emailConfirmedAt: 3, totp: aTotp({ enabledAt: null }), sessionsSince: 4 })
    await openSessions(stores, own)
    const shown = async () => {
      const { isEmailConfirmed, hasTotp, sessionsSince } =
        (await stores.accounts.session(sha256(`${own.user.id} a`))) ?? {}
      return [isEmailConfirmed, hasTotp, sessionsSince]
    }
    assert.deepEqual(await shown(), [true, false, 4])
    await stores.users.changeUser(own.user.id, { totp: aTotp() }, {}, anEntry())
    assert.deepEqual(await shown(), [true, true, 4])
  })

  it('show whether they passed the second factor that their user has now', async () => {
    const stores = await open()
    const own = await withUser(stores, { totp: aTotp({ enabledAt: 6 }) })
    const hash = (name: string) => sha256(`${own.user.id} ${name}`)
    const fields = { user: own.user.id, workspace: own.workspace.id, createdAt: 5, seenAt: 5 }
    const client = { csrfSalt: '', device: '', address: '' }
    for (const [name, totpEnabledAt] of [
      ['without', null],
      ['earlier', 2],
      ['now', 6],
    ] as const)
      await stores.accounts.insertSession({ ...fields, ...client, hash: hash(name), totpEnabledAt }, anEntry())
    const shown = () =>
      Promise.all(
        ['without', 'earlier', 'now'].map(async (name) => (await stores.accounts.session(hash(name)))?.hasPassedTotp),
      )
    assert.deepEqual(await shown(), [false, false, true])
    await stores.users.changeUser(own.user.id, { totp: aTotp({ enabledAt: null }) }, {}, anEntry())
    assert.deepEqual(await shown(), [false, false, false])
    await stores.users.changeUser(own.user.id, { totp: null }, {}, anEntry())
    assert.deepEqual(await shown(), [false, false, false])
    await stores.users.changeUser(own.user.id, { totp: aTotp({ enabledAt: 8 }) }, {}, anEntry())
    assert.deepEqual(await shown(), [false, false, false])
  })
}

/** Declares the tests that every store of users must pass. `open` returns empty stores. */
export const usersConformance = (name: string, open: Open) =>
  describe(`user store in ${name}`, () => {
    changesSuite(open)
    codesSuite(open)
    sessionsSuite(open)
  })
