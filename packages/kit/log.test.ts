import assert from 'node:assert/strict'
import { makeLog } from './log.ts'

describe('a log line', () => {
  const written = (write: (log: ReturnType<typeof makeLog>) => void, level = 'info') => {
    const lines: Record<string, unknown>[] = []
    write(makeLog('intake', level, { write: (line) => void lines.push(JSON.parse(line)) }))
    return lines
  }

  it('says when, how severe, and of which service', () => {
    const [line] = written((log) => log.warn({ email_id: 'em_1' }, 'email.attempted'))
    assert.match(String(line?.['time']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(
      [line?.['level'], line?.['service'], line?.['email_id'], line?.['msg']],
      ['warn', 'intake', 'em_1', 'email.attempted'],
    )
  })

  it('cuts a field that somebody made a megabyte long', () => {
    const [line] = written((log) => log.info({ user_agent: 'x'.repeat(1_000_000) }, 'request'))
    assert.equal(String(line?.['user_agent']).length, 2_001)
  })

  it('has an error with its cause, in a member of its own', () => {
    const [line] = written((log) => log.error({ err: new Error('outside', { cause: new Error('inside') }) }, 'broke'))
    assert.match(JSON.stringify(line?.['err']), /outside.*inside/)
  })

  // What MongoDB refuses of many documents at once, its driver hangs whole on the error.
  it('has nothing of the documents and commands that drivers hang on their errors', () => {
    const refused = Object.assign(new Error('E121'), { code: 121, writeErrors: [{ op: { html: 'the body' } }] })
    const nested = Object.assign(new Error('outer'), { inner: refused, command: { args: ['the body'] } })
    const all = new AggregateError([refused, nested], 'several')
    const lines = written((log) => {
      for (const err of [refused, nested, all]) log.error({ err }, 'broke')
    })
    assert.doesNotMatch(JSON.stringify(lines), /the body/)
    const told = lines[0]?.['err'] as { message: string; code: number }
    assert.deepEqual([told.message, told.code], ['E121', 121])
    assert.match(JSON.stringify(lines[2]?.['err']), /several.*E121/)
  })

  it('below the level is not written', () => {
    assert.deepEqual(
      written((log) => log.debug('quiet')),
      [],
    )
  })
})
