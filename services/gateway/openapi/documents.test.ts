import assert from 'node:assert/strict'
import { assertIterationsBelow } from '../../../test/support/cost.ts'
import { routes } from '../routes/routes.ts'
import { type Documents, makeDocuments } from './documents.ts'
import { openapiDocument } from './openapi.ts'

const publicUrl = 'https://mail.example.com'

describe('documents of the API', () => {
  // Regression: the first request of a process for one of them blocked all others for 300 ms.
  it('are made once, for clients without TLS too, without blocking the process', async () => {
    const made: Documents[] = []
    await assertIterationsBelow(50, async () => {
      const read = makeDocuments({ secure: false, publicUrl, dashboard: [] })
      const [first, second] = await Promise.all([read(), read()])
      assert.equal(first, second)
      made.push(first)
    })
    const { openapi, files } = made[0] ?? assert.fail('no documents')
    assert.equal(await openapi(), await openapi())
    const json = (await openapi()).plain.bytes.toString()
    const expected = openapiDocument(routes)
    const session = expected.components?.securitySchemes?.['session'] as { name: string }
    assert.equal(session.name, '__Host-sid')
    session.name = 'sid'
    assert.ok(json === JSON.stringify(expected), 'docs/openapi.json is out of date: run `npm run gen`')
    const sizes = (await Promise.all([...files.values()].map((file) => file()))).map(({ plain }) => plain.bytes.length)
    assert.ok(json.length > 100_000 && sizes.reduce((sum, size) => sum + size, 0) > 500_000)
  })
})
