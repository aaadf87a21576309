import assert from 'node:assert/strict'
import type { Caller, MailRequest, ValidateRequest } from '@postrider/contracts/services.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { caller, mail, noon, request, testIntake, workspace } from '../../test/support/testIntake.ts'
import { validateRequest } from './validate.ts'

type System = Awaited<ReturnType<typeof testIntake>>
type Checked = { mail?: Partial<MailRequest>; caller?: Partial<Caller> }

const requestOf = ({ mail: over, caller: by }: Checked): ValidateRequest => ({ caller: caller(by), mail: mail(over) })

/** Returns `path code` of each problem, and whether it would be sent. */
const validate = async ({ intake }: System, checked: Checked = {}) => {
  const { problems, would_send } = await intake.Validate(requestOf(checked))
  return [problems.map(({ path, code }) => (path === '' ? code : `${path} ${code}`)), would_send] as const
}

const to = (...names: string[]) => ({ to: names.map((address) => ({ name: '', address })) })
const suppressed = 'Suppressed+x@simulator.postrider.dev'

describe('validation of a message', () => {
  for (const [name, checked, expected] of [
    ['a plain message', {}, [[], true]],
    ['a suppressed recipient alone', { mail: to(suppressed) }, [['to[0] suppressed'], false]],
    ['a suppressed recipient among others', { mail: to('ann@example.com', suppressed) }, [['to[1] suppressed'], true]],
    [
      'a suppressed recipient twice',
      { mail: { ...to(suppressed), cc: to(suppressed.toLowerCase()).to } },
      [['to[0] suppressed'], false],
    ],
    ['a time in the past', { mail: { sendAt: { at: noon - 61_000 } } }, [['scheduled_at in_the_past'], false]],
    [
      'marketing without an address',
      { mail: { category: 'marketing' } },
      [['category postal_address_required'], false],
    ],
    ['a domain that is not verified', { mail: { domainId: 'dom_x' } }, [['domain_id unknown_domain'], false]],
    [
      'a key that is limited to other recipients',
      { caller: { recipients: ['example.net'] } },
      [['to[0] recipient_not_allowed', 'to[1] recipient_not_allowed'], false],
    ],
    ['a key that is limited to other domains', { caller: { domains: ['example.net'] } }, [['from_ forbidden'], false]],
    ['a suspended workspace', { caller: { suspended: true } }, [['forbidden'], false]],
  ] as [string, Checked, [string[], boolean]][])
    it(`reports ${expected[0].join(', ') || 'nothing'} for ${name}`, async () => {
      await using system = await testIntake()
      assert.deepEqual(await validate(system, checked), expected)
    })

  it('reports the quota of live mail without the suppressed recipients, and none of test mail', async () => {
    await using system = await testIntake()
    await system.ledger.setAllowance(workspace, { daily: 3 })
    assert.deepEqual(await validate(system), [[], true])
    await system.send()
    assert.deepEqual(await validate(system), [['quota_exceeded'], false])
    assert.deepEqual(await validate(system, { mail: to('ann@example.com', suppressed) }), [['to[1] suppressed'], true])
    assert.deepEqual(await validate(system, { caller: { mode: 'test' } }), [[], true])
  })

  it('reports a message that is too large, together with its other problems', async () => {
    await using system = await testIntake()
    const file = { filename: 'a.bin', contentType: 'application/octet-stream', contentId: null }
    const large = { attachments: [{ ...file, content: new Uint8Array(9 * 2 ** 20) }], ...to(suppressed) }
    const [problems, wouldSend] = await validate(system, { mail: { ...large, sendAt: { at: noon - 61_000 } } })
    assert.deepEqual(problems, ['message_too_large', 'scheduled_at in_the_past', 'to[0] suppressed'])
    assert.equal(wouldSend, false)
  })

  it('reports a full queue, and does not stay counted in a queue that is not full', async () => {
    await using system = await testIntake()
    const left: boolean[] = []
    const room = { enter: async () => (isAccepted: boolean) => void left.push(isAccepted) }
    await validateRequest({ ...system.deps, queue: room })(requestOf({}))
    assert.deepEqual(left, [false])
    const full = { enter: () => Promise.reject(new Fault('rate_limited', 'It is full.')) }
    const { problems } = await validateRequest({ ...system.deps, queue: full })(requestOf({}))
    assert.deepEqual(problems, [{ path: '', code: 'rate_limited', message: 'It is full.' }])
  })

  it('returns the problems of what can be read of a refused message', async () => {
    await using system = await testIntake()
    const parts = {
      template: { id: 'tpl_x', vars: null },
      from: null,
      domainId: null,
      sendAt: { at: noon - 61_000 },
      category: 'transactional' as const,
      ...to('', suppressed, 'ann@example.com'),
      cc: [],
      bcc: [],
    }
    const { problems, would_send } = await system.intake.Validate({ caller: caller(), parts })
    assert.deepEqual(
      problems.map(({ path, code }) => [path, code]),
      [
        ['template_id', 'unknown_template'],
        ['scheduled_at', 'in_the_past'],
        ['to[1]', 'suppressed'],
      ],
    )
    assert.equal(would_send, false)
  })

  it('stores, counts and rings nothing', async () => {
    await using system = await testIntake()
    const counts = () =>
      ['emails', 'contents', 'ledger_lines', 'ledger_pending', 'idempotency_keys', 'events', 'audit_log'].map(
        (table) => system.db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'],
      )
    const before = counts()
    for (const checked of [{}, { mail: to(suppressed) }, { mail: { domainId: 'dom_x' } }])
      await validate(system, checked)
    assert.deepEqual(counts(), before)
    assert.deepEqual([system.rung, await system.used()], [[], 0])
  })

  it('agrees with the send of the same message', async () => {
    for (const checked of [
      {},
      { mail: to(suppressed) },
      { mail: { domainId: 'dom_x' } },
      { caller: { suspended: true } },
    ]) {
      await using system = await testIntake()
      const { caller: by, mail: message } = { ...request(), ...requestOf(checked) }
      const [, wouldSend] = await validate(system, checked)
      const sent = await system.intake.Submit(request({ caller: by, mail: message })).then(
        ({ bodyJson }) => JSON.parse(bodyJson).status === 'queued',
        () => false,
      )
      assert.equal(wouldSend, sent)
    }
  })
})
