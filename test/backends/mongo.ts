import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { freePort } from '../support/freePort.ts'
import { type Instance, startInstance } from './instance.ts'
import { isResponding } from './isResponding.ts'
import { jars } from './jars.ts'
import { noPerfData } from './kafkaSettings.ts'

/**
 * JVM options. A test runs a JVM for a few minutes at most; in that time the optimizing compiler uses more CPU than it
 * saves. `lowCpu` halves the CPU of a start, which is 1.3 s.
 */
const jvmOptions = {
  lowCpu: ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
  throughput: [],
}

/**
 * Starts a stand-in for MongoDB (mongo-java-server) for the caller alone; docs/testing.md lists what it lacks.
 * @param folder contains the data, which then survive kill -9, restarts and the instance; without it the data are in
 * memory, which is several times faster
 * @param jvm what the JVM optimizes. Default: `lowCpu`; a bench needs `throughput`
 * @param heapGib the largest heap of the JVM, in GiB. Default: `POSTRIDER_TEST_MONGODB_HEAP_GIB`, or 1
 */
export const startMongo = async ({
  folder,
  jvm = 'lowCpu',
  heapGib = Number(process.env['POSTRIDER_TEST_MONGODB_HEAP_GIB'] || 1),
}: {
  folder?: string
  jvm?: keyof typeof jvmOptions
  heapGib?: number
} = {}): Promise<Instance> => {
  const { classpath } = await jars()
  const port = await freePort()
  const args = [
    `-Xmx${heapGib}g`,
    ...jvmOptions[jvm],
    noPerfData,
    '-Dorg.slf4j.simpleLogger.defaultLogLevel=off',
    '-cp',
    classpath,
    'StandIn',
    String(port),
  ]
  if (folder !== undefined) {
    await mkdir(folder, { recursive: true })
    args.push(join(folder, 'mongo.mv'))
  }
  return startInstance({
    name: 'the MongoDB stand-in',
    address: `mongodb://127.0.0.1:${port}`,
    command: { command: 'java', args },
    isResponding: () => isResponding({ port, host: '127.0.0.1' }),
    stopsGracefully: folder !== undefined,
  })
}
