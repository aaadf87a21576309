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

describe('data directory lock', () => {
  let folder = ''
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'postrider-')), 'data')
  })
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

  it('refuses a second holder with the pid of the first until the first releases it', () => {
    const first = lockDataDirectory(folder)
    assert.throws(() => lockDataDirectory(folder), {
      message: `Another Postrider process (pid ${process.pid}) uses ${folder}.`,
    })
    assert.throws(() => lockDataDirectory(folder), /Another Postrider process/, 'the refused call did not release it')
    first[Symbol.dispose]()
    lockDataDirectory(folder)[Symbol.dispose]()
  })

  it('reports a directory that cannot be created, in a file system where mkdir of Node never returns', () => {
    assert.throws(() => lockDataDirectory('/proc/postrider/data'), /^Fault: The data directory .* cannot be created\.$/)
  })

  it('creates the directory with access for its owner only', () => {
    using _lock = lockDataDirectory(folder)
    assert.equal(statSync(folder).mode & 0o777, 0o700)
  })

  it('is released when its process is killed', async () => {
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
