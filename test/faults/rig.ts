import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, connect } from '../support/client.ts'
import { freePort } from '../support/freePort.ts'
import { waitForMidnight } from '../support/midnight.ts'
import { type SinkOptions, smtpSink } from '../support/smtpSink.ts'
import {
  makeDataDirectory,
  operatorToken,
  removeDataDirectory,
  type Standalone,
  startStandalone,
} from '../support/standalone.ts'
import { openJournal } from './journal.ts'
import type { Recorder } from './recorder.ts'

/** The standalone process with its data directory, a sink and a journal, which all survive kills of the process. */
export type Rig = AsyncDisposable &
  Recorder & {
    client: Client
    data: string
    /** Returns the current process. */
    service(): Standalone
    /** Starts a process after the previous one has ended. */
    start(): Promise<void>
  }

/** Starts a process, not shortly before midnight. `data` is an existing directory, which the caller removes. */
export const openRig = async (
  options: { sink?: SinkOptions; env?: Record<string, string>; data?: string } = {},
): Promise<Rig> => {
  await waitForMidnight()
  const sink = await smtpSink(options.sink)
  const port = await freePort()
  const data = options.data ?? (await makeDataDirectory())
  const journal = openJournal(join(tmpdir(), `postrider-faults-${randomUUID()}.jsonl`))
  const env = {
    PORT: String(port),
    POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}`,
    POSTRIDER_OPERATOR_TOKEN: operatorToken,
    POSTRIDER_TRUSTED_PROXIES: '127.0.0.0/8',
    LOG_LEVEL: 'info',
    ...options.env,
  }
  let service = await startStandalone(env, data)
  const client = connect(service.url, operatorToken)
  return {
    sink,
    client,
    journal,
    data,
    service: () => service,
    start: async () => {
      service = await startStandalone(env, data)
    },
    [Symbol.asyncDispose]: async () => {
      client.close()
      await service.kill9()
      await sink.close()
      journal.remove()
      if (options.data === undefined) await removeDataDirectory(data)
    },
  }
}
