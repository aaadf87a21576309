import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../support/until.ts'
import type { Contestant } from './contestant.ts'
import { freePort, isListening } from './ports.ts'
import { cpuMs, memoryMb } from './processes.ts'

/**
 * Postfix's defaults but for: everything is relayed to the sink, and `in_flow_delay`, which would hold each message back
 * for a second while the sink stands still. Nothing is logged: a favour to the reference.
 */
const mainCf = (directory: string, sinkPort: number): string => `compatibility_level = 3.6
queue_directory = ${directory}/queue
data_directory = ${directory}/data
myhostname = postfix.bench.example
mydestination =
local_recipient_maps =
alias_maps =
alias_database =
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_peername_lookup = no
smtpd_relay_restrictions = permit_mynetworks, reject
relayhost = [127.0.0.1]:${sinkPort}
in_flow_delay = 0
`

const services: readonly [name: string, isPrivate: 'n' | '-', wakeup: string, limit: string, command: string][] = [
  ['cleanup', 'n', '-', '0', 'cleanup'],
  ['qmgr', 'n', '300', '1', 'qmgr'],
  ['rewrite', '-', '-', '-', 'trivial-rewrite'],
  ['bounce', '-', '-', '0', 'bounce'],
  ['defer', '-', '-', '0', 'bounce'],
  ['trace', '-', '-', '0', 'bounce'],
  ['verify', '-', '-', '1', 'verify'],
  ['flush', 'n', '1000?', '0', 'flush'],
  ['smtp', '-', '-', '-', 'smtp'],
  ['relay', '-', '-', '-', 'smtp'],
  ['error', '-', '-', '-', 'error'],
  ['retry', '-', '-', '-', 'error'],
  ['anvil', '-', '-', '1', 'anvil'],
  ['scache', '-', '-', '1', 'scache'],
]

/** No chroot: the temporary directory has no copies of system files. */
const masterCf = (port: number): string =>
  [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    ...services.map(
      ([name, isPrivate, wakeup, limit, command]) => `${name} unix ${isPrivate} - n ${wakeup} ${limit} ${command}`,
    ),
    '',
  ].join('\n')

export const postfixInstalled = (): boolean => {
  try {
    execFileSync('postconf', ['-h', 'mail_version'], { stdio: 'ignore' })
    return process.getuid?.() === 0
  } catch {
    return false
  }
}

/** A Postfix of our own in a temporary directory, relaying to the sink. Needs root: its processes change user. */
export const startPostfix = async (sinkPort: number): Promise<Contestant> => {
  const directory = mkdtempSync(join(tmpdir(), 'bench-postfix-'))
  chmodSync(directory, 0o755)
  const port = await freePort()
  for (const name of ['conf', 'queue', 'data']) mkdirSync(join(directory, name))
  execFileSync('chown', ['postfix', join(directory, 'data')])
  writeFileSync(join(directory, 'conf/main.cf'), mainCf(directory, sinkPort))
  writeFileSync(join(directory, 'conf/master.cf'), masterCf(port))
  const postfix = (command: string) =>
    execFileSync('postfix', ['-c', join(directory, 'conf'), command], { stdio: 'ignore' })
  const begun = performance.now()
  postfix('start')
  await until('Postfix listens', () => isListening(port))
  const readyMs = performance.now() - begun
  const pid = Number(readFileSync(join(directory, 'queue/pid/master.pid'), 'latin1').trim())
  return {
    name: 'Postfix',
    target: { protocol: 'smtp', port },
    queues: true,
    readyMs,
    cpuMs: () => cpuMs(pid),
    memoryMb: () => memoryMb(pid),
    async close() {
      postfix('stop')
      await until('Postfix ended', async () => ((await isListening(port)) ? undefined : true), 20_000)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
