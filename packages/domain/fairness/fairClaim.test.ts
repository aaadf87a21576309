import assert from 'node:assert/strict'
import { type DueMail, fairChoice } from './fairClaim.ts'

type Mail = { workspace: string; at: number; name: string }

/** Due mail as an index has it. Counts the queries for the next workspace. */
const dueMail = (mails: readonly Mail[], now: number) => {
  const sorted = mails.toSorted((a, b) => a.at - b.at)
  const due = sorted.filter(({ at }) => at <= now)
  const queries = { workspaces: 0 }
  const mail: DueMail<string> = {
    oldest: (limit) => due.slice(0, limit).map(({ name: key, workspace }) => ({ key, workspace })),
    oldestOf: (workspace, limit) =>
      due
        .filter((one) => one.workspace === workspace)
        .slice(0, limit)
        .map(({ name }) => name),
    workspaceAfter: (after) => {
      queries.workspaces += 1
      const later = sorted.map(({ workspace }) => workspace).filter((workspace) => workspace > after)
      const workspace = later.sort()[0]
      const first = sorted.find((one) => one.workspace === workspace)
      return first ? { workspace: first.workspace, dueAt: first.at } : null
    },
  }
  return { mail, queries }
}

const mailOf = (workspace: string, count: number, at = 1): Mail[] =>
  Array.from({ length: count }, (_, number) => ({ workspace, at: at + number, name: `${workspace}${number}` }))

const query = { lane: 'transactional', now: 1_000, limit: 4 } as const

describe('choice of a claim', () => {
  it('queries no workspaces when less is due than the limit', async () => {
    const { mail, queries } = dueMail([...mailOf('a', 2), ...mailOf('b', 1)], query.now)
    assert.deepEqual((await fairChoice()(mail, query)).sort(), ['a0', 'a1', 'b0'])
    assert.equal(queries.workspaces, 0)
  })

  it('gives a workspace alone the whole limit, for two queries', async () => {
    const { mail, queries } = dueMail(mailOf('a', 9), query.now)
    const choose = fairChoice()
    assert.deepEqual(await choose(mail, query), ['a0', 'a1', 'a2', 'a3'])
    assert.equal(queries.workspaces, 2)
    await choose(mail, query)
    assert.equal(queries.workspaces, 4)
  })

  it('gives unused shares to the oldest mail of all', async () => {
    const { mail } = dueMail([...mailOf('a', 9), ...mailOf('b', 1, 100), ...mailOf('c', 1, 100)], query.now)
    assert.deepEqual((await fairChoice()(mail, query)).sort(), ['a0', 'a1', 'b0', 'c0'])
    assert.deepEqual((await fairChoice()(mail, { ...query, limit: 6 })).sort(), ['a0', 'a1', 'a2', 'a3', 'b0', 'c0'])
  })

  it('starts after the workspace where the last claim ended, going round', async () => {
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

  it('goes round separately in each lane', async () => {
    const { mail } = dueMail([...mailOf('a', 9), ...mailOf('b', 9), ...mailOf('c', 9)], query.now)
    const choose = fairChoice()
    await choose(mail, { ...query, limit: 2 })
    const marketing = await choose(mail, { ...query, lane: 'marketing', limit: 2 })
    assert.deepEqual(marketing, ['a0', 'b0'])
  })

  it('skips a bounded number of workspaces without due mail and still claims due mail', async () => {
    const later = Array.from({ length: 100 }, (_, number) => mailOf(`b${100 + number}`, 1, 5_000)).flat()
    const { mail, queries } = dueMail([...mailOf('a', 9), ...later, ...mailOf('c', 9, 100)], query.now)
    const choose = fairChoice()
    assert.deepEqual(await choose(mail, query), ['a0', 'a1', 'a2', 'a3'])
    assert.equal(queries.workspaces, 64)
    assert.deepEqual((await choose(mail, query)).sort(), ['a0', 'a1', 'c0', 'c1'])
  })
})
