import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { until } from './until.ts'

export const hasNginx = (): boolean => spawnSync('nginx', ['-v']).error === undefined

const configOf = (directory: string, servers: string): string => {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  )
  // Workers of a nginx that root started would be another user, who cannot write into the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  return `daemon off; ${user} worker_processes 1; pid ${directory}/nginx.pid; error_log stderr;
events { worker_connections 64; }
http { access_log off; ${paths.join(' ')} ${servers} }`
}

/**
 * Starts nginx with the content of an `http` block, and waits until `isReady` returns true.
 * @throws Error with nginx's output if it ends before
 */
export const startNginx = async (servers: string, isReady: () => Promise<boolean>): Promise<AsyncDisposable> => {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-nginx-'))
  await writeFile(join(directory, 'nginx.conf'), configOf(directory, servers))
  const nginx = spawn('nginx', ['-c', join(directory, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  nginx.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const state = { ended: false }
  const ended = once(nginx, 'close').then(() => {
    state.ended = true
  })
  const close = async (): Promise<void> => {
    nginx.kill('SIGTERM')
    await ended
    await rm(directory, { recursive: true })
  }
  try {
    await until('nginx is ready', async () => {
      if (state.ended) throw new Error(`nginx ended:\n${output}`)
      return (await isReady().catch(() => false)) || undefined
    })
  } catch (thrown) {
    await close()
    throw thrown
  }
  return { [Symbol.asyncDispose]: close }
}
