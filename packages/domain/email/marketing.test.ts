import assert from 'node:assert/strict'
import { marketingProblems } from './marketing.ts'

describe('marketing mail', () => {
  it('needs the postal address of its workspace', () => {
    const [problem, ...others] = marketingProblems({ category: 'marketing', hasPostalAddress: false })
    assert.deepEqual([problem?.path, problem?.code, others], ['category', 'postal_address_required', []])
    assert.deepEqual(marketingProblems({ category: 'marketing', hasPostalAddress: true }), [])
  })

  it('is the only mail that needs it', () => {
    assert.deepEqual(marketingProblems({ category: 'transactional', hasPostalAddress: false }), [])
  })
})
