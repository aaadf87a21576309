import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, rawMail, type Tenant } from '../support/client.ts'
import { whyNoCpu } from '../support/cost.ts'
import type { HttpResponse } from '../support/http.ts'
import { assertSmtpSafe } from '../support/receivedMessage.ts'
import type { EmailRecord } from '../support/records.ts'
import { skip } from '../support/skip.ts'
import { useSystem } from '../support/suite.ts'
import { addressAttacks } from './attacks/addresses.ts'
import type { Attack, Refused } from './attacks/attack.ts'
import { contentAttacks } from './attacks/content.ts'
import { requestAttacks } from './attacks/requests.ts'
import { templateAttacks } from './attacks/templates.ts'

const attacks = [...addressAttacks, ...contentAttacks, ...templateAttacks, ...requestAttacks]

describe('attacks', () => {
  const system = useSystem()
  let tenant: Tenant
  /** The sender name of this workspace. It distinguishes its mail from the mail of other suites. */
  const sender = 'Workspace Under Attack'
  before(async () => {
    tenant = await system().client.tenant()
    const json = { sender_name: sender }
    assert.equal((await tenant.session.call({ method: 'PATCH', path: '/api/v1/workspace', json })).status, 200)
  })

  const make = async (attack: Attack): Promise<HttpResponse<EmailRecord>> => {
    if (attack.call === undefined) return tenant.send(rawMail(attack.mail))
    const call = await attack.call(tenant)
    const needsSession = call.path === '/api/v1/workspace'
    return (needsSession ? tenant.session : tenant.api).call<EmailRecord>(call)
  }

  /** The Message-IDs of the emails of accepted attacks. */
  const accepted = new Set<string>()
  /** The newest email of the workspace. */
  let newest: string | undefined
  const findNewest = async (): Promise<void> => {
    newest = (await tenant.list('?limit=1')).data[0]?.id
  }

  /** Sends an email and waits for it. Emails that were accepted before have arrived then. */
  const barrier = async (): Promise<string> => {
    const to = fresh('barrier')
    await tenant.send(rawMail({ to: [to] }))
    await system().receiver.waitFor(to)
    return to
  }

  const assertRefused = async (attack: Attack, refused: Refused): Promise<void> => {
    const before = newest
    const response = await make(attack)
    assertProblem(response, refused.status, refused.code, refused.problems)
    if (refused.status === 401) assert.match(response.headers['www-authenticate'] ?? '', /^Bearer/)
    await findNewest()
    assert.equal(newest, before, 'an email was stored')
  }

  /** Returns the text of an attack on a field, or other text of the size of the attack. */
  const textOf = async ({ mail, call }: Attack): Promise<string> => {
    if (call === undefined)
      return Object.values(mail ?? {})
        .flat()
        .map(String)
        .join('')
    const { body, json } = await call(tenant)
    return 'x'.repeat(Buffer.byteLength(json === undefined ? (body ?? '') : JSON.stringify(json)))
  }

  const usedBy = async (cpuMs: () => number, work: () => Promise<unknown>): Promise<number> => {
    const before = cpuMs()
    await work()
    return cpuMs() - before
  }

  /**
   * Asserts that an attack uses at most `maxMs` of CPU more than a plain request of the same size, which is refused for
   * another reason. Both read the same body, and both include the CPU that a cluster of a dozen processes uses all the
   * time. The lowest of several measurements counts.
   */
  const assertCheap = async (attack: Attack, maxMs: number, cpuMs: () => number): Promise<void> => {
    const plain = rawMail({ subject: null, text: await textOf(attack) })
    let [attackMs, plainMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let tries = 0; !(attackMs - plainMs <= maxMs) && tries < 24; tries += 1) {
      plainMs = Math.min(plainMs, await usedBy(cpuMs, () => tenant.send(plain)))
      attackMs = Math.min(attackMs, await usedBy(cpuMs, () => make(attack)))
    }
    assert.ok(attackMs - plainMs <= maxMs, `the attack used ${attackMs} ms of CPU, a plain request ${plainMs} ms`)
  }

  const assertAccepted = async (attack: Attack, check: NonNullable<Attack['accepted']>): Promise<void> => {
    const response = await make(attack)
    assert.equal(response.status, 202, response.text.slice(0, 600))
    const { id, message_id } = response.body
    accepted.add(message_id)
    await findNewest()
    await tenant.until(id, (email) => email.status === 'delivered')
    const arrived = system().receiver.received.filter((one) => one.mail.messageId === message_id)
    const [received] = arrived
    assert.ok(received !== undefined && arrived.length === 1, `${arrived.length} messages arrived`)
    assertSmtpSafe(received.raw)
    check(received, response.body)
  }

  for (const attack of attacks)
    it(`${attack.number}: ${attack.refused === undefined ? '' : 'refuses '}${attack.name}`, async function () {
      if (attack.refused !== undefined) await assertRefused(attack, attack.refused)
      if (attack.accepted !== undefined) await assertAccepted(attack, attack.accepted)
      if (attack.refused?.cpuMs === undefined) return
      await assertCheap(attack, attack.refused.cpuMs, system().cpuMs ?? skip(this, whyNoCpu))
    })

  it('no refused attack sent an email', async () => {
    const to = await barrier()
    const { received } = system().receiver
    const arrived = received.filter(({ mail }) => mail.from?.name === sender && !accepted.has(mail.messageId ?? ''))
    assert.deepEqual(
      arrived.map((one) => [one.to, one.mail.subject]),
      [[[to], rawMail()['subject']]],
    )
  })

  it('26: earlier attacks polluted no prototype: an absent value is still absent', async () => {
    const template = await tenant.template({ text_body: '{{#if admin}}admin{{else}}guest{{/if}}' })
    const response = await tenant.send({ to: [fresh()], template_id: template.id, template_vars: {} })
    if (response.status === 202) {
      const raw = await tenant.api.call({ path: `/api/v1/emails/${response.body.id}/raw` })
      assert.match(raw.text, /guest/)
    } else assertProblem(response, 422, 'validation_failed')
  })

  it('33: returns the same response for every invalid key', async () => {
    const keys = ['', 'Bearer ', 'Bearer nonsense', `Bearer pr_live_${'0'.repeat(39)}`, `Bearer ${tenant.api.key}x`]
    const responses = await Promise.all(
      keys.map((authorization) => system().client.call({ path: '/api/v1/emails', headers: { authorization } })),
    )
    const bodies = responses.map((one) => one.text.replaceAll(/req_[0-9a-z]{26}/g, 'ID'))
    assert.deepEqual([...new Set(bodies)].length, 1, bodies.join('\n'))
    assert.deepEqual([...new Set(responses.map((one) => one.headers['www-authenticate']))].length, 1)
  })

  it('32: reports invalid syntax with its line and column', async () => {
    const response = await tenant.api.call({
      path: '/api/v1/templates',
      json: { name: fresh(), subject: 's', html_body: 'one\ntwo\n  {{#if a}}' },
    })
    const { errors } = assertProblem(response, 422, 'validation_failed', [{ path: 'html_body' }])
    assert.match(errors?.[0]?.message ?? '', /line \d+/i)
    assert.match(errors?.[0]?.message ?? '', /column \d+/i)
  })

  it('10: refuses a sender_name with an encoded word', async () => {
    const json = { sender_name: '=?utf-8?q?x=0d=0aBcc:e=40z?=' }
    const response = await tenant.session.call({ method: 'PATCH', path: '/api/v1/workspace', json })
    assertProblem(response, 422, 'validation_failed', [{ path: 'sender_name', code: 'encoded_word' }])
  })
})
