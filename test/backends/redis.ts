import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/freePort.ts'
import { type Instance, startInstance } from './instance.ts'
import { isResponding } from './isResponding.ts'
import { jars } from './jars.ts'

/**
 * Starts a Redis for the caller alone. It stores nothing on disk: a restart empties it.
 * @param password required from clients
 */
export const startRedis = async ({ password }: { password?: string } = {}): Promise<Instance> => {
  const { redisServer } = await jars()
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'postrider-redis-'))
  const settings = {
    bind: '127.0.0.1',
    port,
    dir: folder,
    save: '',
    appendonly: 'no',
    loglevel: 'warning',
    ...(password !== undefined && { requirepass: password }),
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  return startInstance({
    name: 'Redis',
    address: `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`,
    command: { command: redisServer, args, removeFolder: folder },
    isResponding: () => isResponding({ port, host: '127.0.0.1' }, { request: 'PING\r\n' }),
    afterEnd: () => rm(folder, { recursive: true, force: true }),
    stopsGracefully: false,
  })
}
