import assert from 'node:assert/strict'
import { resolutions } from '@postrider/domain/email/email.ts'
import { outcome } from '../../test/support/outcome.ts'
import { noon, reader, testIntake } from '../../test/support/testIntake.ts'

const boxes = (...addresses: string[]) => addresses.map((address) => ({ name: '', address }))
const later = { sendAt: { at: noon + 3_600_000 } }
const staff = 'staff.example'

type Row = {
  limits: { recipients?: string[]; domains?: string[] }
  mail: { to?: string[]; cc?: string[]; bcc?: string[] }
  mayChange: boolean
}

const rows: Row[] = [
  { limits: {}, mail: { to: ['x@customer.example'] }, mayChange: true },
  { limits: { recipients: [staff] }, mail: { to: ['ann@staff.example'] }, mayChange: true },
  { limits: { recipients: [staff] }, mail: { to: ['ANN@Staff.Example'] }, mayChange: true },
  { limits: { recipients: [staff] }, mail: { to: ['x@customer.example'] }, mayChange: false },
  { limits: { recipients: [staff] }, mail: { to: ['ann@sub.staff.example'] }, mayChange: false },
  { limits: { recipients: [staff] }, mail: { to: ['ann@notstaff.example'] }, mayChange: false },
  { limits: { recipients: [staff] }, mail: { to: ['ann@staff.example', 'x@customer.example'] }, mayChange: false },
  {
    limits: { recipients: [staff] },
    mail: { to: ['ann@staff.example'], cc: ['x@customer.example'] },
    mayChange: false,
  },
  {
    limits: { recipients: [staff] },
    mail: { to: ['ann@staff.example'], bcc: ['x@customer.example'] },
    mayChange: false,
  },
  { limits: { recipients: ['ann@staff.example'] }, mail: { to: ['bob@staff.example'] }, mayChange: false },
  { limits: { recipients: ['ann@staff.example'] }, mail: { to: ['ann@staff.example'] }, mayChange: true },
  { limits: { recipients: [staff] }, mail: { to: ['delivered@simulator.postrider.dev'] }, mayChange: false },
  // The mail has the shared sender, which a key with domains can never use.
  { limits: { domains: ['brand.example'] }, mail: { to: ['ann@staff.example'] }, mayChange: false },
  {
    limits: { recipients: [staff], domains: ['brand.example'] },
    mail: { to: ['ann@staff.example'] },
    mayChange: false,
  },
]

describe('change of mail by a limited key', () => {
  for (const { limits, mail, mayChange } of rows)
    it(`${JSON.stringify(limits)} ${mayChange ? 'admits' : 'refuses'} it for ${JSON.stringify(mail)}`, async () => {
      await using system = await testIntake()
      const { to = [], cc = [], bcc = [] } = mail
      const id = await system.send({ ...later, to: boxes(...to), cc: boxes(...cc), bcc: boxes(...bcc) })
      const by = reader({ actor: 'key_2', mode: 'live', ...limits })
      const resolving = resolutions.map((as) => system.intake.ResolveEmail({ reader: by, id, as }))
      // Mail that it may change is not in doubt: a conflict.
      const expected = mayChange ? 'conflict' : 'forbidden'
      assert.deepEqual(await Promise.all(resolving.map(outcome)), [expected, expected, expected])
      const cancelling = () => outcome(system.intake.CancelEmail({ reader: by, id }))
      assert.equal(await cancelling(), mayChange ? 'ok' : 'forbidden')
      assert.equal(await cancelling(), mayChange ? 'ok' : 'forbidden')
      assert.equal((await system.stored(id)).nextAt === null, mayChange)
      assert.equal(await outcome(system.intake.GetEmail({ reader: by, id })), 'ok')
    })

  it('is not found, not forbidden, for mail that the key may not read', async () => {
    await using system = await testIntake()
    const id = await system.send({ ...later, to: boxes('x@customer.example') })
    for (const over of [{ sentBy: 'key_2' }, { mode: 'test' }, { workspace: 'ws_other' }] as const) {
      const by = reader({ recipients: [staff], ...over })
      assert.equal(await outcome(system.intake.CancelEmail({ reader: by, id })), 'not_found')
    }
  })
})
