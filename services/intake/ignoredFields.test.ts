import assert from 'node:assert/strict'
import type { Intake, MailRequest } from '@postrider/contracts/services.ts'
import { caller, mail, request, testIntake, workspace } from '../../test/support/testIntake.ts'
import { intakeService } from './intake.ts'
import type { TemplateSource } from './resolveContent.ts'

/*
 * No field of a message is accepted and ignored: two messages that differ in it alone are stored differently, sent
 * alone and in a batch. services/gateway/ignoredFields.test.ts shows that the fields of a request reach intake, and
 * packages/adapters/grpc/intake.test.ts that they cross gRPC. A new field needs a pair of values here.
 */

type Pair = readonly [Partial<MailRequest>, Partial<MailRequest>]

const ann = [{ name: 'Ann', address: 'ann@example.com' }]
const bob = [{ name: 'Bob', address: 'bob@example.com' }]
const file = { filename: 'a.txt', contentType: 'text/plain', contentId: null, content: Buffer.from('a') }
const template = { id: 'tpl_1', vars: { a: '1' }, version: 1 }
const fromTemplate = (over: Partial<typeof template>): Partial<MailRequest> => ({
  subject: null,
  text: null,
  template: { ...template, ...over },
})
const from = (name: string) => ({ name, address: 'news@a.example' })

const pairs: Readonly<Record<keyof Required<MailRequest>, readonly Pair[]>> = {
  from: [
    [{ from: from('A') }, { from: from('B') }],
    [{ from: from('A') }, { from: { ...from('A'), address: 'other@a.example' } }],
  ],
  to: [[{ to: ann }, { to: bob }]],
  cc: [[{ cc: [] }, { cc: [{ name: '', address: 'cy@example.com' }] }]],
  bcc: [[{ bcc: [] }, { bcc: [{ name: '', address: 'cy@example.com' }] }]],
  replyTo: [[{ replyTo: ann }, { replyTo: bob }]],
  subject: [[{ subject: 'one' }, { subject: 'two' }]],
  html: [[{ html: '<p>one</p>' }, { html: '<p>two</p>' }]],
  text: [[{ text: 'one' }, { text: 'two' }]],
  template: [
    [fromTemplate({}), fromTemplate({ id: 'tpl_2' })],
    [fromTemplate({}), fromTemplate({ vars: { a: '2' } })],
    [fromTemplate({}), fromTemplate({ version: 2 })],
  ],
  domainId: [[{ domainId: 'dom_a' }, { domainId: 'dom_b' }]],
  headers: [[{ headers: { 'X-A': '1' } }, { headers: { 'X-A': '2' } }]],
  attachments: [
    [{ attachments: [file] }, { attachments: [{ ...file, filename: 'b.txt' }] }],
    [{ attachments: [file] }, { attachments: [{ ...file, contentType: 'text/csv' }] }],
    [{ attachments: [file] }, { attachments: [{ ...file, contentId: 'logo' }] }],
    [{ attachments: [file] }, { attachments: [{ ...file, content: Buffer.from('b') }] }],
  ],
  tags: [[{ tags: { a: '1' } }, { tags: { a: '2' } }]],
  metadata: [[{ metadata: { a: '1' } }, { metadata: { a: '2' } }]],
  sendAt: [[{ sendAt: { inMs: 3_600_000 } }, { sendAt: { inMs: 7_200_000 } }]],
  expiresInMs: [[{ expiresInMs: 60_000 }, { expiresInMs: 120_000 }]],
  onUnknown: [[{ onUnknown: 'hold' }, { onUnknown: 'retry' }]],
  category: [[{ category: 'marketing' }, { category: 'transactional' }]],
  topic: [[{ topic: 'one' }, { topic: 'two' }]],
  retention: [
    [{ retention: 'none' }, { retention: 'metadata' }],
    [{ retention: 7 }, { retention: 8 }],
  ],
}

const templates = {
  get: async ({ id, version }: { id: string; version?: number }) => ({ id, version: version ?? 9 }),
  *renderSteps({ id, version }: { id: string; version: number }, vars: unknown) {
    yield
    const text = `${id} ${version} ${JSON.stringify(vars)}`
    return { ok: true, subject: 'from a template', html: null, text }
  },
} as unknown as TemplateSource

/** Values that differ in each email. */
const own = /(?:em|bat|evt)_[0-9a-z]{26}/g

describe('fields of a message', () => {
  let system: Awaited<ReturnType<typeof testIntake>>
  let intake: Intake
  before(async () => {
    system = await testIntake()
    await system.ledger.setAllowance(workspace, { monthly: null, daily: null })
    intake = intakeService({ ...system.deps, templates })
    const domains = ['a', 'b'].map((name) => ({
      id: `dom_${name}`,
      name: `${name}.example`,
      subdomains: false,
      returnPathVerified: true,
    }))
    system.domains.of.set(workspace, domains)
  })
  after(() => system[Symbol.asyncDispose]())

  const by = caller({ hasPostalAddress: true })
  const alone = async (sent: MailRequest): Promise<string> => {
    const { id } = await intake.Submit(request({ caller: by, mail: sent }))
    return id
  }
  const inBatch = async (sent: MailRequest): Promise<string> => {
    const { bodyJson } = await intake.SubmitBatch({
      ...request({ caller: by }),
      operation: 'POST /api/v1/emails/batch',
      staged: null,
      mails: [{ number: 0, mail: sent }],
      refusals: [],
      count: 1,
      isPermissive: false,
    })
    return (JSON.parse(bodyJson) as { data: { id: string }[] }).data[0]?.id ?? assert.fail(bodyJson)
  }
  const storedOf = async (id: string): Promise<string> =>
    JSON.stringify([(await system.stored(id)).email, await system.emails.content(id)]).replaceAll(own, 'id')

  for (const [way, send] of [
    ['alone', alone],
    ['in a batch', inBatch],
  ] as const)
    for (const [field, values] of Object.entries(pairs))
      for (const [index, [one, other]] of values.entries())
        it(`${field} (${index}) of a message that is sent ${way} is stored`, async () => {
          const first = await storedOf(await send(mail(one)))
          assert.equal(await storedOf(await send(mail(one))), first)
          assert.notEqual(await storedOf(await send(mail(other))), first)
        })
})
