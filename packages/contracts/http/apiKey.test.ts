import assert from 'node:assert/strict'
import { CreateKey, UpdateKey } from './apiKey.ts'

describe('body of an API key', () => {
  it('has its expiry as a number, from any offset', () => {
    const body = { name: 'n', expires_at: '2026-12-01T01:00:00+01:00' }
    assert.equal(CreateKey.parse(body).expires_at, Date.UTC(2026, 11, 1))
    assert.equal(UpdateKey.parse(body).expires_at, Date.UTC(2026, 11, 1))
    assert.equal(UpdateKey.parse({ expires_at: null }).expires_at, null)
  })

  for (const text of ['', 'tomorrow', '2026-02-30T00:00:00Z', '2026-12-01T00:00:00'])
    it(`refuses the expiry "${text}"`, () => {
      for (const schema of [CreateKey, UpdateKey]) {
        const { success, error } = schema.safeParse({ name: 'n', expires_at: text })
        assert.ok(!success)
        assert.deepEqual(
          error.issues.map(({ path }) => path.join('.')),
          ['expires_at'],
        )
      }
    })
})
