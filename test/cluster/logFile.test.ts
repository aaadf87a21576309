import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { logFolder, openLogFile } from './logFile.ts'

describe('folder of log files', () => {
  // With PORT=0 two clusters wrote to the same files.
  it('is that of one cluster, even without a fixed port', () => {
    assert.deepEqual([logFolder(8_080), logFolder(0)], ['logs/8080', `logs/process-${process.pid}`])
  })
})

describe('log file of limited size', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'postrider-logs-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const path = () => join(folder, 'logs/gateway-1.log')

  it('has the last texts in two files, whose size is limited', () => {
    using file = openLogFile(path(), 100)
    const texts = Array.from({ length: 1_000 }, (_, number) => `line ${number} é\n`)
    for (const [number, text] of texts.entries()) {
      file.write(text)
      const sizes = readdirSync(join(folder, 'logs')).map((name) => statSync(join(folder, 'logs', name)).size)
      assert.ok(sizes.length <= 2 && sizes.every((size) => size <= 100), `${number}: ${sizes}`)
    }
    const both = readFileSync(`${path()}.1`, 'utf8') + readFileSync(path(), 'utf8')
    assert.ok(texts.join('').endsWith(both))
    assert.ok(Buffer.byteLength(both) > 100 - 20)
  })

  it('is renamed if it is of an earlier run', () => {
    for (const text of ['first\n', 'second\n']) {
      using file = openLogFile(path(), 100)
      file.write(text)
    }
    assert.deepEqual([readFileSync(`${path()}.1`, 'utf8'), readFileSync(path(), 'utf8')], ['first\n', 'second\n'])
  })

  it('contains a text that is longer than the limit as a whole', () => {
    using file = openLogFile(path(), 10)
    for (const text of ['short\n', 'x'.repeat(50)]) file.write(text)
    assert.deepEqual([readFileSync(`${path()}.1`, 'utf8'), readFileSync(path(), 'utf8')], ['short\n', 'x'.repeat(50)])
  })
})
