import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { freePort } from './freePort.ts'
import { until } from './until.ts'

const run = promisify(execFile)
const postfix = '/usr/sbin/postfix'

export type PrivatePostfix = AsyncDisposable & {
  port: number
  /** The master process, whose children are all other processes of this Postfix. */
  pid: number
  log(): string
}

/** Returns why this machine cannot run Postfix, or null if it can. */
export const whyNoPostfix = (): string | null => {
  if (!existsSync(postfix)) return 'Postfix is not installed'
  return process.getuid?.() === 0 ? null : 'Postfix can only be started as root'
}

const mainCf = (home: string, sinkPort: number, settings: Record<string, string>): string =>
  Object.entries({
    compatibility_level: '3.6',
    queue_directory: `${home}/queue`,
    data_directory: `${home}/data`,
    maillog_file: `${home}/log`,
    maillog_file_prefixes: home,
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    myhostname: 'relay.example',
    mydestination: '',
    mynetworks: '127.0.0.0/8',
    alias_maps: '',
    alias_database: '',
    local_recipient_maps: '',
    relayhost: `[127.0.0.1]:${sinkPort}`,
    smtpd_relay_restrictions: 'permit_mynetworks, reject',
    smtpd_peername_lookup: 'no',
    // Accepts bare line feeds as line ends, as the oldest installations do (CVE-2023-51764).
    smtpd_forbid_bare_newline: 'no',
    message_size_limit: '20000000',
    ...settings,
  })
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('')

const masterCf = (port: number): string =>
  [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'verify unix - - n - 1 verify',
    'flush unix n - n 1000? 0 flush',
    'proxymap unix - - n - - proxymap',
    'smtp unix - - n - - smtp',
    'relay unix - - n - - smtp',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'discard unix - - n - - discard',
    'anvil unix - - n - 1 anvil',
    'scache unix - - n - 1 scache',
    'postlog unix-dgram n - n - 1 postlogd',
  ].join('\n')

const answers = (port: number): Promise<true | undefined> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.once('data', () => {
      socket.destroy()
      resolve(true)
    })
    // After an error, or if the server closed the connection without a greeting.
    socket.once('error', () => socket.destroy()).once('close', () => resolve(undefined))
  })

const makeHome = async (port: number, sinkPort: number, settings: Record<string, string>): Promise<string> => {
  const home = await mkdtemp(join(tmpdir(), 'postrider-e2e-postfix-'))
  await chmod(home, 0o755)
  for (const name of ['queue', 'data']) await mkdir(join(home, name))
  const { stdout } = await run('id', ['-u', 'postfix'])
  await chown(join(home, 'data'), Number(stdout), 0)
  await writeFile(join(home, 'main.cf'), mainCf(home, sinkPort, settings))
  await writeFile(join(home, 'master.cf'), `${masterCf(port)}\n`)
  return home
}

/**
 * Starts a Postfix that relays all mail to a sink on this machine. It is independent of a Postfix that the machine
 * runs.
 * @param settings of main.cf, replace the default ones
 */
export const startPostfix = async (
  sinkPort: number,
  settings: Record<string, string> = {},
): Promise<PrivatePostfix> => {
  const port = await freePort()
  const home = await makeHome(port, sinkPort, settings)
  const child: ChildProcess = spawn(postfix, ['-c', home, 'start-fg'], { stdio: 'ignore' })
  const log = (): string => (existsSync(join(home, 'log')) ? readFileSync(join(home, 'log'), 'utf8') : '')
  const ended = once(child, 'exit')
  const stop = async (): Promise<void> => {
    await run(postfix, ['-c', home, 'stop']).catch(() => undefined)
    await ended
    await rm(home, { recursive: true, force: true })
  }
  await until('Postfix responds', () => answers(port)).catch(async (reason: Error) => {
    const logged = log()
    await stop()
    throw new Error(`${reason.message}\n${logged}`)
  })
  const pid = Number(readFileSync(join(home, 'queue/pid/master.pid'), 'latin1'))
  return { port, pid, log, [Symbol.asyncDispose]: stop }
}
