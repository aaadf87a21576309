import assert from 'node:assert/strict'
import { reader, testIntake } from '../../test/support/testIntake.ts'

describe('content of an email', () => {
  const file = { filename: 'a.txt', contentType: 'text/plain', contentId: 'a', content: Buffer.from('abc') }

  it('has the subject, both parts, the custom headers and the files without their bytes', async () => {
    await using system = await testIntake()
    const id = await system.send({ html: '<p>Hi</p>', text: null, headers: { 'X-A': '1' }, attachments: [file] })
    assert.deepEqual(await system.intake.GetContent({ reader: reader(), id }), {
      subject: 'Hello',
      html: '<p>Hi</p>',
      text: 'Hi',
      headers: { 'X-A': '1' },
      attachments: [{ filename: 'a.txt', contentType: 'text/plain', contentId: 'a', size: 3 }],
      attachmentsRemovedAt: null,
    })
  })

  it('has the bytes of the images that the HTML part shows, on request', async () => {
    await using system = await testIntake()
    const logo = { filename: 'a.png', contentType: 'image/png', contentId: 'logo', content: Buffer.from('png') }
    const id = await system.send({ html: '<img src="cid:logo">', attachments: [file, logo] })
    const { attachments } = await system.intake.GetContent({ reader: reader(), id, inlineImages: true })
    assert.deepEqual(
      attachments?.map(({ content }) => content?.toString()),
      [undefined, 'png'],
    )
  })

  it('has no HTML part for mail of text alone', async () => {
    await using system = await testIntake()
    const content = await system.intake.GetContent({ reader: reader(), id: await system.send() })
    assert.deepEqual([content.html, content.text], [null, 'It works.'])
  })

  it('is not found in another workspace or mode', async () => {
    await using system = await testIntake()
    const id = await system.send()
    for (const over of [{ workspace: 'ws_01m7yr6cabfzvahf8pz72f0kb5' }, { mode: 'test' }] as const)
      await assert.rejects(system.intake.GetContent({ reader: reader(over), id }), { code: 'not_found' })
  })
})
