import assert from 'node:assert/strict'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { startChild } from '../backends/process.ts'
import { type Standalone, startStandalone } from '../support/standalone.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const runTest = async (env: Record<string, string>): Promise<{ code: number | null; output: string }> => {
  let output = ''
  const print = (text: string): void => {
    output += text
  }
  const args = ['charts/postrider/files/sendOneMail.ts']
  const child = await startChild({ command: process.execPath, args, env, cwd: root, print })
  return { code: await child.ended, output }
}

describe('program of `helm test`', function helmTestSuite() {
  let open: Standalone
  let closed: Standalone
  before(async () => {
    open = await startStandalone()
    closed = await startStandalone({ POSTRIDER_SIGNUP: 'off' })
  })
  after(() => Promise.all([open.stop(), closed.stop()]))

  it('signs up, sends one email with a test key and waits until it is delivered', async () => {
    const { code, output } = await runTest({ GATEWAY_URL: open.url })
    assert.equal(code, 0, output)
    assert.match(output, /accepted: 202 em_\w+\n(status: \w+\n)*status: delivered\n/)
  })

  it('uses the given key where sign-up is off', async () => {
    const [key = ''] = /pr_test_\w+/.exec(closed.output()) ?? []
    const { code, output } = await runTest({ GATEWAY_URL: closed.url, API_KEY: key })
    assert.equal(code, 0, output)
  })

  it('fails and prints the refused request', async () => {
    const { code, output } = await runTest({ GATEWAY_URL: closed.url })
    assert.notEqual(code, 0)
    assert.match(output, /\/api\/v1\/auth\/signup: 403 /)
  })
})
