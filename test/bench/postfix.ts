import { startPostfix, whyNoPostfix } from '../support/privatePostfix.ts'
import type { Contestant } from './contestant.ts'
import { cpuMs, memoryMb } from './processes.ts'

/** `in_flow_delay` would hold each message back for a second while the sink stands still. No log: a favour to it. */
const settings = { in_flow_delay: '0', maillog_file: '' }

/** Null where Postfix can't be had: it is left out then. */
export const postfixContestant =
  whyNoPostfix() !== null
    ? null
    : async (sinkPort: number): Promise<Contestant> => {
        const begun = performance.now()
        const postfix = await startPostfix(sinkPort, settings)
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
