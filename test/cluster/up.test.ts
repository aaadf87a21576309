import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { endOfProgram } from './program.ts'

const ends = (env: Record<string, string>) => endOfProgram('test/cluster/up.ts', env)

describe('`npm run up` tells before it starts anything', function upSuite() {
  this.timeout(30_000)

  it('that its port is in use', async () => {
    const taken = createServer().listen(0)
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const words = `Port ${port} is in use; choose another with PORT, or PORT=0 for a free one.\n`
    assert.deepEqual(await ends({ PORT: String(port) }), { code: 1, said: words })
    taken.close()
  })

  for (const [name, env, words] of [
    ['that its port is none', { PORT: 'high' }, 'PORT: must be a port number, 0 to 65535 (0: a free one)\n'],
    [
      'that it needs open sign-up',
      { POSTRIDER_SIGNUP: 'off' },
      'It begins with signing up, which POSTRIDER_SIGNUP=off forbids; leave that unset.\n',
    ],
  ] as const)
    it(name, async () => assert.deepEqual(await ends(env), { code: 1, said: words }))
})
