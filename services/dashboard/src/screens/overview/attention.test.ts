import assert from 'node:assert/strict'
import { attentionItems } from './attention.ts'

const nothing = {
  deferred: { count: 0, hasMore: false },
  unknown: { count: 0, hasMore: false },
  domains: [],
  webhooks: [],
  quotas: [],
  isConfirmed: true,
}

describe('what needs attention', () => {
  it('is nothing while all is well', () => {
    const domains = [{ id: 'dom_1', name: 'a.example', status: 'verified' as const }]
    const webhooks = [{ id: 'wh_1', url: 'https://a.example', enabled: true, failing_since: null }]
    assert.deepEqual(attentionItems({ ...nothing, domains, webhooks }), [])
  })

  it('begins with the most urgent', () => {
    const items = attentionItems({
      deferred: { count: 100, hasMore: true },
      unknown: { count: 1, hasMore: false },
      domains: [
        { id: 'dom_1', name: 'a.example', status: 'pending' },
        { id: 'dom_2', name: 'b.example', status: 'failed' },
      ],
      webhooks: [{ id: 'wh_1', url: 'https://a.example', enabled: false, failing_since: null }],
      quotas: [
        { name: 'month', tone: 'bad', title: 'The quota is used up', text: '', until: '', remedy: 'upgrade' },
        { name: 'day', tone: 'info', title: 'Beyond the plan', text: '', until: '', remedy: null },
      ],
      isConfirmed: false,
    })
    assert.deepEqual(
      items.map(({ title }) => title),
      [
        'The quota is used up',
        'b.example failed its checks',
        'Your address is not confirmed',
        '1 email to decide on',
        '100 or more emails deferred',
        'a.example is not verified',
        'A webhook is disabled',
      ],
    )
  })
})
