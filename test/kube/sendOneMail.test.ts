import assert from 'node:assert/strict'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { startLeashed } from '../backends/process.ts'
import { type Standalone, startStandalone } from '../support/standalone.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const tested = async (env: Record<string, string>): Promise<{ code: number | null; said: string }> => {
  let said = ''
  const print = (text: string): void => {
    said += text
  }
  const args = ['charts/postrider/files/sendOneMail.ts']
  const leashed = await startLeashed({ command: process.execPath, args, env, cwd: root, print })
  return { code: await leashed.ended, said }
}

describe('what `helm test` runs', function helmTestSuite() {
  this.timeout(60_000)
  let open: Standalone
  let closed: Standalone
  before(async () => {
    open = await startStandalone()
    closed = await startStandalone({ POSTRIDER_SIGNUP: 'off' })
  })
  after(() => Promise.all([open.stop(), closed.stop()]))

  it('signs up, sends one mail with a test key and sees it delivered', async () => {
    const { code, said } = await tested({ GATEWAY_URL: open.url })
    assert.equal(code, 0, said)
    assert.match(said, /accepted: 202 em_\w+\n(status: \w+\n)*status: delivered\n/)
  })

  it('takes the key it is given, where nobody may sign up', async () => {
    const [key = ''] = /pr_test_\w+/.exec(closed.output()) ?? []
    const { code, said } = await tested({ GATEWAY_URL: closed.url, API_KEY: key })
    assert.equal(code, 0, said)
  })

  it('fails, and says what was answered', async () => {
    const { code, said } = await tested({ GATEWAY_URL: closed.url })
    assert.notEqual(code, 0)
    assert.match(said, /\/api\/v1\/auth\/signup: 403 /)
  })
})
