import { connect, type NetConnectOpts } from 'node:net'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

const patienceMs = 500

/** Why no container engine can be used here; null: one answers. Looks only where testcontainers would, and is quick. */
export const whyNoEngine = async (): Promise<string | null> => {
  for (const place of places(process.env['DOCKER_HOST'])) if (await answers(place)) return null
  return 'no container engine answers'
}

const places = (dockerHost: string | undefined): NetConnectOpts[] => {
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

const answers = (place: NetConnectOpts): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(place)
    const settle = (found: boolean): void => {
      socket.destroy()
      resolve(found)
    }
    socket.setTimeout(patienceMs, () => settle(false))
    socket.once('error', () => settle(false))
    socket.once('connect', () => settle(true))
  })
