import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { lockDataDirectory } from './lock.ts'

const holder = `
  const { lockDataDirectory } = await import(process.argv[1])
  globalThis.lock = lockDataDirectory(process.argv[2])
  console.log('locked')
  setInterval(() => {}, 1_000)
`

describe('the lock of a data directory', () => {
  let folder = ''
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'postrider-')), 'data')
  })
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

  it('a second holder is refused and told who has it, until the first lets go', () => {
    const first = lockDataDirectory(folder)
    assert.throws(() => lockDataDirectory(folder), {
      message: `Another Postrider process (pid ${process.pid}) uses ${folder}.`,
    })
    assert.throws(() => lockDataDirectory(folder), /Another Postrider process/, 'asking takes nothing from the holder')
    first[Symbol.dispose]()
    lockDataDirectory(folder)[Symbol.dispose]()
  })

  it('a directory that can’t be made is said in plain words, where Node itself would try for ever', () => {
    assert.throws(() => lockDataDirectory('/proc/postrider/data'), /^Fault: The data directory .* can't be made\.$/)
  })

  it('only its owner may look into the directory', () => {
    using _lock = lockDataDirectory(folder)
    assert.equal(statSync(folder).mode & 0o777, 0o700)
  })

  it('a process that was killed leaves no lock behind', async () => {
    const url = new URL('./lock.ts', import.meta.url).href
    const child = spawn(process.execPath, ['--input-type=module', '-e', holder, url, folder], { stdio: 'pipe' })
    await once(child.stdout, 'data')
    assert.throws(() => lockDataDirectory(folder), {
      message: `Another Postrider process (pid ${child.pid}) uses ${folder}.`,
    })
    child.kill('SIGKILL')
    await once(child, 'exit')
    lockDataDirectory(folder)[Symbol.dispose]()
  })
})
