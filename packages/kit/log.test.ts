import assert from 'node:assert/strict'
import { makeLog } from './log.ts'

describe('log line', () => {
  const written = (write: (log: ReturnType<typeof makeLog>) => void, level = 'info') => {
    const lines: Record<string, unknown>[] = []
    write(makeLog('intake', level, { write: (line) => void lines.push(JSON.parse(line)) }))
    return lines
  }

  it('has the time, the level and the service', () => {
    const [line] = written((log) => log.warn({ email_id: 'em_1' }, 'email.attempted'))
    assert.match(String(line?.['time']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(
      [line?.['level'], line?.['service'], line?.['email_id'], line?.['msg']],
      ['warn', 'intake', 'em_1', 'email.attempted'],
    )
  })

  it('shortens a very long field', () => {
    const [line] = written((log) => log.info({ user_agent: 'x'.repeat(1_000_000) }, 'request'))
    assert.equal(String(line?.['user_agent']).length, 2_001)
  })

  it('contains an error with its cause in its own field', () => {
    const [line] = written((log) => log.error({ err: new Error('outside', { cause: new Error('inside') }) }, 'failed'))
    assert.match(JSON.stringify(line?.['err']), /outside.*inside/)
  })

  // The MongoDB driver attaches refused documents to the error of a bulk write.
  it('contains no documents or commands that drivers attach to errors', () => {
    const refused = Object.assign(new Error('E121'), { code: 121, writeErrors: [{ op: { html: 'the body' } }] })
    const nested = Object.assign(new Error('outer'), { inner: refused, command: { args: ['the body'] } })
    const all = new AggregateError([refused, nested], 'several')
    const lines = written((log) => {
      for (const err of [refused, nested, all]) log.error({ err }, 'failed')
    })
    assert.doesNotMatch(JSON.stringify(lines), /the body/)
    const logged = lines[0]?.['err'] as { message: string; code: number }
    assert.deepEqual([logged.message, logged.code], ['E121', 121])
    assert.match(JSON.stringify(lines[2]?.['err']), /several.*E121/)
  })

  it('is not written below the level', () => {
    assert.deepEqual(
      written((log) => log.debug('quiet')),
      [],
    )
  })
})
