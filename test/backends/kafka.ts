import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/freePort.ts'
import { type Instance, startInstance } from './instance.ts'
import { jars } from './jars.ts'
import {
  asProperties,
  hasBroker,
  kafkaJvm,
  kafkaSettings,
  type SecuredListener,
  withSecuredListener,
} from './kafkaSettings.ts'

export type KafkaInstance = Instance & {
  /** Restarts it with an empty log at the same address. All topics, messages and offsets are lost. */
  wipe(): Promise<void>
}

export type KafkaOptions = {
  /** Contains the log, which then outlives the instance. Without it the log survives restarts but not the instance. */
  folder?: string
  /** Default: a free port. */
  port?: number
  /** `host:port` that it sends to its clients; needed if a proxy is in front of it. */
  advertised?: string
  /** A listener that only this user can use, with SCRAM-SHA-512 over TLS. */
  secured?: SecuredListener & { user: string; password: string }
}

/** Starts one node of Kafka, broker and controller in one, for the caller alone. */
export const startKafka = async ({ folder, port, advertised, secured }: KafkaOptions = {}): Promise<KafkaInstance> => {
  const { classpath, archived } = await jars()
  const listens = port ?? (await freePort())
  const address = advertised ?? `127.0.0.1:${listens}`
  const home = folder ?? (await mkdtemp(join(tmpdir(), 'postrider-kafka-')))
  const logs = join(home, 'logs')
  const properties = join(home, 'server.properties')
  await mkdir(home, { recursive: true })
  const settings = kafkaSettings({ host: '127.0.0.1', port: listens, controllerPort: await freePort(), address })
  const all = secured ? withSecuredListener(settings, secured) : settings
  await writeFile(properties, asProperties({ ...all, 'log.dirs': logs }))
  const instance = await startInstance({
    name: 'Kafka',
    address,
    command: {
      command: 'java',
      args: [...kafkaJvm, ...archived, '-cp', classpath, 'Broker', properties, ...scramOf(secured)],
      removeFolder: folder === undefined ? home : undefined,
    },
    isResponding: () => hasBroker(address),
    afterEnd: async () => {
      if (folder === undefined) await rm(home, { recursive: true, force: true })
    },
    stopsGracefully: folder !== undefined,
  })
  const wipe = async (): Promise<void> => {
    await instance.kill9()
    await rm(logs, { recursive: true, force: true })
    await instance.restart()
  }
  return Object.defineProperties({ wipe } as KafkaInstance, Object.getOwnPropertyDescriptors(instance))
}

const scramOf = (secured: KafkaOptions['secured']): string[] =>
  secured ? [`SCRAM-SHA-512=[name=${secured.user},password=${secured.password}]`] : []
