import assert from 'node:assert/strict'
import { countSpfLookups, isSpf, maxSpfLookups, readSpf } from './spf.ts'

const count = (record: string, records: Record<string, string> = {}): number => {
  const read = readSpf(record)
  assert.ok('terms' in read)
  return countSpfLookups(read.terms, (domain) => records[domain] ?? null)
}

describe('SPF record', () => {
  it('is recognized by its version alone', () => {
    assert.deepEqual(['v=spf1', 'V=SPF1 -all', 'v=spf10 -all', 'v=spf1-all', ' v=spf1', 'spf2.0/pra'].map(isSpf), [
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })

  it('is read as terms with their qualifiers', () => {
    assert.deepEqual(readSpf('v=spf1  a/24 -MX:b.example +include:c.example redirect=D.example'), {
      terms: [
        { qualifier: '+', name: 'a', value: '/24', isModifier: false },
        { qualifier: '-', name: 'mx', value: 'b.example', isModifier: false },
        { qualifier: '+', name: 'include', value: 'c.example', isModifier: false },
        { qualifier: '+', name: 'redirect', value: 'D.example', isModifier: true },
      ],
    })
    assert.deepEqual(readSpf('v=spf1 ipv4:192.0.2.1 -all'), { unknown: 'ipv4:192.0.2.1' })
  })

  it('needs a lookup for each mechanism with a name, and for those of included records', () => {
    assert.equal(count('v=spf1 ip4:192.0.2.1 ip6:2001:db8::1 -all'), 0)
    assert.equal(count('v=spf1 a mx ptr exists:%{i}.a.example include:b.example ~all', { 'b.example': 'v=spf1 a' }), 6)
    assert.equal(
      count('v=spf1 redirect=B.example.', { 'b.example': 'v=spf1 mx redirect=c.example', 'c.example': 'v=spf1 a' }),
      4,
    )
  })

  it('is counted no further than the limit, also in a loop', () => {
    let queried = 0
    const read = readSpf('v=spf1 include:a.example include:a.example')
    assert.ok('terms' in read)
    const result = countSpfLookups(read.terms, () => {
      queried++
      return 'v=spf1 include:a.example include:a.example'
    })
    assert.equal(result > maxSpfLookups, true)
    assert.ok(queried <= maxSpfLookups)
  })
})
