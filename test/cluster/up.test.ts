import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { runProgram } from './program.ts'

const runUp = (env: Record<string, string>) => runProgram('test/cluster/up.ts', env)

describe('`npm run up`', function upSuite() {
  it('ends before it starts a process if its port is in use', async () => {
    const occupant = createServer().listen(0)
    await once(occupant, 'listening')
    const { port } = occupant.address() as AddressInfo
    const output = `Port ${port} is in use; choose another with PORT, or PORT=0 for a free one.\n`
    assert.deepEqual(await runUp({ PORT: String(port) }), { code: 1, output })
    occupant.close()
  })

  for (const [problem, env, output] of [
    ['its port is invalid', { PORT: 'high' }, 'PORT: must be a port number, 0 to 65535 (0: a free one)\n'],
    [
      'sign-up is not open',
      { POSTRIDER_SIGNUP: 'off' },
      'POSTRIDER_SIGNUP=off is not supported, because `npm run up` signs up a workspace; leave it unset.\n',
    ],
  ] as const)
    it(`ends before it starts a process if ${problem}`, async () =>
      assert.deepEqual(await runUp(env), { code: 1, output }))
})
