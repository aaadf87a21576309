import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'

/** Starts a thread with the environment for threads, and prints the variables that the thread has. */
const program = `
  import { Worker } from 'node:worker_threads'
  import { threadEnv } from ${JSON.stringify(join(import.meta.dirname, 'threadEnv.ts'))}
  const source = "require('node:worker_threads').parentPort.postMessage({ ...process.env })"
  new Worker(source, { eval: true, execArgv: [], env: threadEnv() }).on('message', (env) => console.log(JSON.stringify(env)))
`

/** Returns the variables of a thread whose process has these. */
const variablesOf = async (env: Record<string, string>): Promise<object> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    env: { POSTRIDER_SECRET_KEY: 'secret', MONGODB_URL: 'mongodb://user:secret@host', ...env },
  })
  return JSON.parse(stdout) as object
}

describe('environment of threads', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'postrider-cache-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('has no secret of the process', async () => {
    assert.deepEqual(await variablesOf({}), {})
  })

  it('has the compile cache of the process, and no other variable', async () => {
    assert.deepEqual(await variablesOf({ NODE_COMPILE_CACHE: folder }), { NODE_COMPILE_CACHE: folder })
  })
})
