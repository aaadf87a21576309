import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { connect } from '../support/client.ts'
import { freePort } from '../support/freePort.ts'
import { startPostfix, whyNoPostfix } from '../support/privatePostfix.ts'
import { operatorToken, removeDataDirectory, startStandalone } from '../support/standalone.ts'
import type { Target } from './dialogues.ts'
import { cpuMs, memoryMb, stop, untilListening } from './processes.ts'

/** A system under measurement, started and ready. */
export type Contestant = {
  name: string
  target: Target
  /** Whether it responds before it delivers. */
  queues: boolean
  /** Milliseconds from start until it can accept a message. */
  readyMs: number
  /** CPU time used so far by all its processes. */
  cpuMs(): number
  /** CPU time by part: its processes, whose sum is `cpuMs`, and its back ends, which `cpuMs` does not include. */
  cpuMsByPart?(): Record<string, number>
  memoryMb(): { rss: number; peak: number }
  close(): Promise<void>
}

export type StartContestant = (sinkPort: number) => Promise<Contestant>

export type Postrider = Contestant & {
  data: string
  /** Sends SIGKILL. The data directory remains. */
  kill(): Promise<void>
}

/** The V8 flags of `npm start`. */
const startFlags = (): string => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const words: string[] = manifest.scripts.start.split(' ')
  return words.filter((word) => word.startsWith('--')).join(' ')
}

/** Returns the path and a key of a new workspace without limits. */
export const access = async (url: string): Promise<Pick<Target, 'path' | 'authorization'>> => {
  const client = connect(url, operatorToken)
  const tenant = await client.tenant()
  client.close()
  return { path: '/api/v1/emails', authorization: `Bearer ${tenant.api.key}` }
}

/** Starts Postrider as `npm start` does, with a workspace without limits. `data`: an existing directory with mail. */
export const startPostrider = async (
  sinkPort: number,
  more: { data?: string; env?: Record<string, string> } = {},
): Promise<Postrider> => {
  const begun = performance.now()
  const env = {
    POSTRIDER_ROUTE: `smtp://127.0.0.1:${sinkPort}`,
    POSTRIDER_OPERATOR_TOKEN: operatorToken,
    ...more.env,
    NODE_OPTIONS: [startFlags(), more.env?.['NODE_OPTIONS'] ?? ''].join(' '),
  }
  const standalone = await startStandalone(env, more.data)
  const readyMs = performance.now() - begun
  return {
    name: 'Postrider',
    target: { protocol: 'http', port: Number(new URL(standalone.url).port), ...(await access(standalone.url)) },
    queues: true,
    readyMs,
    cpuMs: () => cpuMs(standalone.pid),
    memoryMb: () => memoryMb(standalone.pid),
    data: standalone.data,
    kill: standalone.kill9,
    async close() {
      await standalone.stop()
      await removeDataDirectory(standalone.data)
    },
  }
}

/** With `in_flow_delay`, Postfix would delay every message by a second while the sink is stopped. It writes no log. */
const postfixSettings = { in_flow_delay: '0', maillog_file: '' }

/** Contestant Postfix; null if it is unavailable; the bench runs without it then. */
export const postfixContestant: StartContestant | null =
  whyNoPostfix() !== null
    ? null
    : async (sinkPort) => {
        const begun = performance.now()
        const postfix = await startPostfix(sinkPort, postfixSettings)
        return {
          name: 'Postfix',
          target: { protocol: 'smtp', port: postfix.port },
          queues: true,
          readyMs: performance.now() - begun,
          cpuMs: () => cpuMs(postfix.pid),
          memoryMb: () => memoryMb(postfix.pid),
          close: async () => postfix[Symbol.asyncDispose](),
        }
      }

/**
 * Starts Postrider so that it signs: with RSA and Ed25519, by the keys of the shared sender. The default sender has
 * no name in DNS and is not signed.
 */
export const startSigningPostrider: StartContestant = async (sinkPort) => ({
  ...(await startPostrider(sinkPort, { env: { POSTRIDER_SENDER: 'Shop <shop@bench.example>' } })),
  name: 'Postrider, signed',
})

/** Starts inlineScript.ts in a separate process. */
export const startInline: StartContestant = (sinkPort) => startScript(sinkPort, 'inline', [])

/** Starts it with RSA signatures by nodemailer. */
export const startSigningInline: StartContestant = (sinkPort) => startScript(sinkPort, 'inline, signed', ['dkim'])

const startScript = async (sinkPort: number, name: string, words: readonly string[]): Promise<Contestant> => {
  const port = await freePort()
  const script = fileURLToPath(import.meta.resolve('./inlineScript.ts'))
  const begun = performance.now()
  const child = spawn(process.execPath, [script, String(port), String(sinkPort), ...words], { stdio: 'inherit' })
  await untilListening('the inline script', port)
  const pid = child.pid ?? 0
  return {
    name,
    target: { protocol: 'http', port, path: '/emails' },
    queues: false,
    readyMs: performance.now() - begun,
    cpuMs: () => cpuMs(pid),
    memoryMb: () => memoryMb(pid),
    close: () => stop(child),
  }
}
