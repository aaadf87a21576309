import assert from 'node:assert/strict'
import { type DueMail, fairChoice } from './fairClaim.ts'

type Mail = { workspace: string; at: number; name: string }

/** Due mail as an index has it; counts how often it is asked for the next workspace. */
const dueMail = (mails: readonly Mail[], now: number) => {
  const sorted = mails.toSorted((a, b) => a.at - b.at)
  const due = sorted.filter(({ at }) => at <= now)
  const asked = { turns: 0 }
  const mail: DueMail<string> = {
    oldest: (limit) => due.slice(0, limit).map(({ name }) => name),
    oldestOf: (workspace, limit) =>
      due
        .filter((one) => one.workspace === workspace)
        .slice(0, limit)
        .map(({ name }) => name),
    workspaceAfter: (after) => {
      asked.turns += 1
      const later = sorted.map(({ workspace }) => workspace).filter((workspace) => workspace > after)
      const workspace = later.sort()[0]
      const first = sorted.find((one) => one.workspace === workspace)
      return first ? { workspace: first.workspace, dueAt: first.at } : null
    },
  }
  return { mail, asked }
}

const mailOf = (workspace: string, count: number, at = 1): Mail[] =>
  Array.from({ length: count }, (_, number) => ({ workspace, at: at + number, name: `${workspace}${number}` }))

const query = { lane: 'transactional', now: 1_000, limit: 4 } as const

describe('choosing what a claim takes', () => {
  it('where less is due than it may take, no workspace is looked for', async () => {
    const { mail, asked } = dueMail([...mailOf('a', 2), ...mailOf('b', 1)], query.now)
    assert.deepEqual((await fairChoice()(mail, query)).sort(), ['a0', 'a1', 'b0'])
    assert.equal(asked.turns, 0)
  })

  it('a workspace alone gets all, for two looks', async () => {
    const { mail, asked } = dueMail(mailOf('a', 9), query.now)
    const choose = fairChoice()
    assert.deepEqual(await choose(mail, query), ['a0', 'a1', 'a2', 'a3'])
    assert.equal(asked.turns, 2)
    await choose(mail, query)
    assert.equal(asked.turns, 4)
  })

  it('what a share leaves over goes to the oldest of all', async () => {
    const { mail } = dueMail([...mailOf('a', 9), ...mailOf('b', 1, 100), ...mailOf('c', 1, 100)], query.now)
    assert.deepEqual((await fairChoice()(mail, query)).sort(), ['a0', 'a1', 'b0', 'c0'])
    assert.deepEqual((await fairChoice()(mail, { ...query, limit: 6 })).sort(), ['a0', 'a1', 'a2', 'a3', 'b0', 'c0'])
  })

  it('each claim begins after the workspace where the last one ended, in a circle', async () => {
    const { mail } = dueMail(
      ['a', 'b', 'c', 'd', 'e'].flatMap((workspace) => mailOf(workspace, 9)),
      query.now,
    )
    const choose = fairChoice()
    const owners = async (limit: number) => (await choose(mail, { ...query, limit })).map((name) => name[0]).join('')
    assert.equal(await owners(2), 'ab')
    assert.equal(await owners(2), 'cd')
    assert.equal(await owners(3), 'eab')
    assert.equal(await owners(5), 'cdeab')
  })

  it('lanes have turns of their own', async () => {
    const { mail } = dueMail([...mailOf('a', 9), ...mailOf('b', 9), ...mailOf('c', 9)], query.now)
    const choose = fairChoice()
    await choose(mail, { ...query, limit: 2 })
    const marketing = await choose(mail, { ...query, lane: 'marketing', limit: 2 })
    assert.deepEqual(marketing, ['a0', 'b0'])
  })

  it('workspaces without due mail are passed over, a bounded number at a claim, and what is due is taken all the same', async () => {
    const later = Array.from({ length: 100 }, (_, number) => mailOf(`b${100 + number}`, 1, 5_000)).flat()
    const { mail, asked } = dueMail([...mailOf('a', 9), ...later, ...mailOf('c', 9, 100)], query.now)
    const choose = fairChoice()
    assert.deepEqual(await choose(mail, query), ['a0', 'a1', 'a2', 'a3'])
    assert.equal(asked.turns, 64)
    assert.deepEqual((await choose(mail, query)).sort(), ['a0', 'a1', 'c0', 'c1'])
  })
})
