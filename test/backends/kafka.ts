import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/freePort.ts'
import { type Instance, startInstance } from './instance.ts'
import { jars } from './jars.ts'
import { asProperties, hasBroker, kafkaJvm, kafkaSettings, type SecuredDoor, withSecuredDoor } from './kafkaSettings.ts'

export type KafkaInstance = Instance & {
  /** Ends it, and starts it with an empty log under the same address: all topics, messages and offsets are lost. */
  wipe(): Promise<void>
}

export type KafkaOptions = {
  /** Of its log, which then outlives the instance; without it the log lasts as long as the instance, over restarts. */
  folder?: string
  /** Where it listens; a free port where not given. */
  port?: number
  /** `host:port` that it tells its clients to come to, where a proxy stands before it. */
  advertised?: string
  /** A door where only this user comes in, by SCRAM-SHA-512 over TLS. */
  secured?: SecuredDoor & { user: string; password: string }
}

/** One node of Kafka, broker and controller at once, of the caller's own. */
export const startKafka = async ({ folder, port, advertised, secured }: KafkaOptions = {}): Promise<KafkaInstance> => {
  const { classpath, archived } = await jars()
  const listens = port ?? (await freePort())
  const address = advertised ?? `127.0.0.1:${listens}`
  const home = folder ?? (await mkdtemp(join(tmpdir(), 'postrider-kafka-')))
  const logs = join(home, 'logs')
  const properties = join(home, 'server.properties')
  await mkdir(home, { recursive: true })
  const settings = kafkaSettings({ host: '127.0.0.1', port: listens, controllerPort: await freePort(), address })
  const all = secured ? withSecuredDoor(settings, secured) : settings
  await writeFile(properties, asProperties({ ...all, 'log.dirs': logs }))
  const instance = await startInstance({
    name: 'Kafka',
    address,
    command: {
      command: 'java',
      args: [...kafkaJvm, ...archived, '-cp', classpath, 'Broker', properties, ...scramOf(secured)],
      trash: folder === undefined ? home : undefined,
    },
    answers: () => hasBroker(address),
    tidy: async () => {
      if (folder === undefined) await rm(home, { recursive: true, force: true })
    },
    keeps: folder !== undefined,
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
