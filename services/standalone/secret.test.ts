import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { masterKey } from './secret.ts'

describe('the master key', () => {
  let directory = ''
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'postrider-secret-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  it('is made once and kept for its owner alone', () => {
    const key = masterKey(directory, undefined)
    assert.equal(masterKey(directory, undefined), key)
    assert.deepEqual(readdirSync(directory), ['secret'])
    assert.equal(statSync(join(directory, 'secret')).mode & 0o777, 0o600)
  })

  it('is the operator’s where one is given', () => {
    assert.equal(masterKey(directory, 'given'), 'given')
    assert.deepEqual(readdirSync(directory), [])
  })

  it('is made anew where a crash left half of it', () => {
    writeFileSync(join(directory, 'secret.new'), 'hal')
    assert.ok(masterKey(directory, undefined).length >= 32)
  })

  it('that is damaged is refused, never replaced: what it signed and encrypted hangs on it', () => {
    writeFileSync(join(directory, 'secret'), 'short')
    assert.throws(() => masterKey(directory, undefined), /no usable secret/)
  })
})
