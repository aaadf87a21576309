import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/freePort.ts'
import { until } from '../support/until.ts'
import type { Contestant } from './contestant.ts'
import { isListening } from './ports.ts'
import { cpuMs, memoryMb, stop } from './processes.ts'

/** The inline script in its own process. */
export const startInline = async (sinkPort: number): Promise<Contestant> => {
  const port = await freePort()
  const script = fileURLToPath(import.meta.resolve('./inlineReference.ts'))
  const begun = performance.now()
  const child = spawn(process.execPath, [script, String(port), String(sinkPort)], { stdio: 'inherit' })
  await until('the inline script listens', () => isListening(port))
  const pid = child.pid ?? 0
  return {
    name: 'inline',
    target: { protocol: 'http', port, path: '/emails' },
    queues: false,
    readyMs: performance.now() - begun,
    cpuMs: () => cpuMs(pid),
    memoryMb: () => memoryMb(pid),
    close: () => stop(child),
  }
}
