import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { clockedSystem } from '../faults/clockedSystem.ts'
import { assertProblem } from '../support/assertProblem.ts'
import { freshDomain, rawMail, type Tenant } from '../support/client.ts'
import { needsOwnProcess } from '../support/suite.ts'
import { hangMs, until } from '../support/until.ts'

const dayMs = 86_400_000

/** Fills a workspace with texts that contain a word. */
const fill = async (tenant: Tenant, word: string): Promise<void> => {
  await tenant.template({ name: word, subject: word, text_body: word })
  const content = Buffer.from(word.repeat(50_000)).toString('base64')
  for (const over of [{}, { attachments: [{ filename: `${word}.txt`, content }] }, { scheduled_at: 'PT24H' }]) {
    const json = rawMail({ to: [`${word}@receiver.example`], subject: word, text: word, metadata: { word }, ...over })
    const headers = { 'idempotency-key': `${word} ${randomUUID()}` }
    assert.equal((await tenant.api.call({ path: '/api/v1/emails', json, headers })).status, 202)
  }
  const domain = await tenant.session.call({ path: '/api/v1/domains', json: { name: `${word}.${freshDomain()}` } })
  assert.equal(domain.status, 201, domain.text)
  const json = { email: `${word}@friends.example`, role: 'viewer' }
  const invited = await tenant.session.call({ path: '/api/v1/members/invitations', json })
  assert.equal(invited.status, 201, invited.text)
  const changed = { name: word, sender_name: word, postal_address: word }
  assert.equal((await tenant.session.call({ method: 'PATCH', path: '/api/v1/workspace', json: changed })).status, 200)
  const erased = await tenant.session.call({ path: '/api/v1/erasures', json: { address: `other@${word}.example` } })
  assert.equal(erased.status, 202)
}

/** Returns the tables with a row that has a text, in plain form or as bytes. */
const tablesWith = (data: string, text: string): string[] => {
  using file = new DatabaseSync(join(data, 'postrider.db'), { readOnly: true })
  const readable = (_: string, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : typeof value === 'bigint' ? `${value}` : value
  /** The index of lists has numbers of 62 bits. */
  const rowsOf = (name: string) => {
    const select = file.prepare(`SELECT * FROM ${name}`)
    select.setReadBigInts(true)
    return select.all()
  }
  const tables = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  return tables
    .map(({ name }) => String(name))
    .filter((name) => rowsOf(name).some((row) => JSON.stringify(row, readable).includes(text)))
    .toSorted()
}

const filesWith = (data: string, text: string): string[] =>
  readdirSync(data).filter((name) => name.includes('.db') && readFileSync(join(data, name), 'latin1').includes(text))

describe('a workspace that the operator deletes', () => {
  needsOwnProcess()

  it('is gone from every table and file after its 7 days, and not before', async () => {
    await using system = await clockedSystem()
    const [word, otherWord] = [`gone${randomBytes(6).toString('hex')}`, `kept${randomBytes(6).toString('hex')}`]
    const [tenant, other] = [await system.client.tenant(), await system.client.tenant()]
    await fill(tenant, word)
    await fill(other, otherWord)
    await system.drain()
    const operator = system.client.withOperatorToken()
    const path = `/api/v1/operator/workspaces/${tenant.workspace.id}`
    assert.equal((await operator.call({ method: 'DELETE', path })).status, 200)

    system.advance(7 * dayMs - 1_000)
    await system.eraseWorkspaces()
    assert.equal((await operator.call({ path })).status, 200)
    const before = tablesWith(system.data, word)
    for (const table of ['emails', 'contents', 'templates', 'domains', 'workspaces', 'audit_log', 'idempotency_keys'])
      assert.ok(before.includes(table), `${table}: ${before}`)
    assert.deepEqual(filesWith(system.data, otherWord).length > 0, true)

    system.advance(1_000)
    await system.eraseWorkspaces()
    assertProblem(await operator.call({ path }), 404, 'not_found')
    assertProblem(await tenant.api.call({ path: '/api/v1/emails' }), 401, 'unauthenticated')
    const billed = ['allowances', 'billing_accounts', 'ledger_lines', 'ledger_totals', 'removed_workspaces']
    const after = tablesWith(system.data, tenant.workspace.id)
    assert.deepEqual(
      after.filter((table) => !billed.includes(table)),
      ['audit_log'],
    )
    // The sweep removes the system emails to people of the workspace.
    await until(
      'no table has it',
      () => [word, tenant.email].every((text) => tablesWith(system.data, text).length === 0) || undefined,
      hangMs,
      200,
    )
    await until('the files are overwritten', () => filesWith(system.data, word).length === 0 || undefined)
    assert.ok(filesWith(system.data, otherWord).length > 0)
    assert.ok(tablesWith(system.data, other.workspace.id).includes('emails'))
  })
})
