import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { masterKey, masterKeys, operatorToken } from './secret.ts'

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

describe('master keys that decrypt', () => {
  let directory = ''
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'postrider-secret-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))
  const [fresh, old] = ['n'.repeat(32), 'o'.repeat(32)] as const

  it('are the configured keys, and the key of the data directory that was used before', () => {
    assert.deepEqual(masterKeys(directory, `${fresh},${old}`), [fresh, old])
    assert.deepEqual(readdirSync(directory), [])
    const [made] = masterKeys(directory, undefined)
    assert.deepEqual(masterKeys(directory, undefined), [made])
    assert.deepEqual(masterKeys(directory, fresh), [fresh, made])
    writeFileSync(join(directory, 'secret'), 'short')
    assert.deepEqual(masterKeys(directory, fresh), [fresh])
  })
})

describe('operator token', () => {
  let directory = ''

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'postrider-'))
  })

  afterEach(() => rmSync(directory, { recursive: true }))

  const path = () => join(directory, 'operator-token')

  it('is made once, in a file that only its owner can read', () => {
    const made = operatorToken(directory, undefined)
    assert.match(made.token, /^[\w-]{43}$/)
    assert.equal(made.file, path())
    assert.deepEqual(operatorToken(directory, undefined), made)
    assert.deepEqual(readdirSync(directory), ['operator-token'])
    assert.equal(statSync(path()).mode & 0o777, 0o600)
  })

  it('is the configured one if there is one, and then no file is made', () => {
    assert.deepEqual(operatorToken(directory, 'given'), { token: 'given', file: null })
    assert.deepEqual(readdirSync(directory), [])
  })

  it('is made again if a crash left a partial file, or if the operator deleted it', () => {
    writeFileSync(`${path()}.new`, 'hal')
    const { token } = operatorToken(directory, undefined)
    rmSync(path())
    assert.notEqual(operatorToken(directory, undefined).token, token)
  })

  for (const text of ['', 'short', 'two words of a token\n', 'token-of-the-operatör'])
    it(`is refused with what to do if the file contains ${JSON.stringify(text)}`, () => {
      writeFileSync(path(), text)
      assert.throws(
        () => operatorToken(directory, undefined),
        /operator-token does not contain a valid token; delete it/,
      )
    })

  it('is read without the line break that an editor adds', () => {
    writeFileSync(path(), 'a-token-of-the-operator\n')
    assert.equal(operatorToken(directory, undefined).token, 'a-token-of-the-operator')
  })

  it('is reported by its path if it cannot be read', () => {
    mkdirSync(path())
    assert.throws(() => operatorToken(directory, undefined), /operator-token cannot be read/)
  })
})
