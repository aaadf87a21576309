import type { NetConnectOpts } from 'node:net'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { isResponding } from './isResponding.ts'

/**
 * Returns why no container engine can be used, or null if one responds. It checks the same places as testcontainers.
 */
export const whyNoEngine = async (): Promise<string | null> => {
  for (const socket of socketsOf(process.env['DOCKER_HOST']))
    if (await isResponding(socket, { timeoutMs: 500 })) return null
  return 'no container engine responds'
}

const socketsOf = (dockerHost: string | undefined): NetConnectOpts[] => {
  if (dockerHost?.startsWith('unix://')) return [{ path: dockerHost.slice('unix://'.length) }]
  if (dockerHost) {
    const { hostname, port } = new URL(dockerHost)
    return [{ host: hostname, port: Number(port || 2375) }]
  }
  const folders = [
    '/var/run',
    process.env['XDG_RUNTIME_DIR'] ?? `/run/user/${userInfo().uid}`,
    join(homedir(), '.docker/run'),
    join(homedir(), '.docker/desktop'),
  ]
  return folders.map((folder) => ({ path: join(folder, 'docker.sock') }))
}
