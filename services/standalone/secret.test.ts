import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { masterKey } from './secret.ts'

describe('master key', () => {
  let directory = ''
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'postrider-secret-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  it('is made once and readable only by its owner', () => {
    const key = masterKey(directory, undefined)
    assert.equal(masterKey(directory, undefined), key)
    assert.deepEqual(readdirSync(directory), ['secret'])
    assert.equal(statSync(join(directory, 'secret')).mode & 0o777, 0o600)
  })

  it('is the configured one if there is one', () => {
    assert.equal(masterKey(directory, 'given'), 'given')
    assert.deepEqual(readdirSync(directory), [])
  })

  it('is made again if a crash left a partial file', () => {
    writeFileSync(join(directory, 'secret.new'), 'hal')
    assert.ok(masterKey(directory, undefined).length >= 32)
  })

  it('is not replaced when it is damaged, because data is signed and encrypted with it', () => {
    writeFileSync(join(directory, 'secret'), 'short')
    assert.throws(() => masterKey(directory, undefined), /does not contain a valid secret/)
  })
})
