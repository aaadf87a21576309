import assert from 'node:assert/strict'
import { assertIterationsBelow } from '../../../test/support/cost.ts'
import { routes } from '../routes/routes.ts'
import { makeDocuments } from './documents.ts'
import { openapiDocument } from './openapi.ts'

const publicUrl = 'https://mail.example.com'

describe('documents of the API', () => {
  // Regression: the first request of a process for one of them blocked all others for 300 ms.
  it('are made without blocking the process', async () => {
    await assertIterationsBelow(50, async () => {
      const { openapi, files } = await makeDocuments({ secure: true, publicUrl, dashboard: [] })()
      const sizes = [...files.values()].map(({ plain }) => plain.bytes.length)
      assert.ok(openapi.plain.bytes.length > 100_000 && sizes.reduce((sum, size) => sum + size, 0) > 500_000)
    })
  })

  it('are made once, for clients with and without TLS', async () => {
    const read = makeDocuments({ secure: false, publicUrl, dashboard: [] })
    const [first, second] = await Promise.all([read(), read()])
    assert.equal(first, second)
    assert.equal(first.openapi.plain.bytes.toString(), JSON.stringify(openapiDocument(routes, { secure: false })))
  })
})
