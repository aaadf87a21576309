import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../support/freePort.ts'
import { says } from './answers.ts'
import { type Instance, startInstance } from './instance.ts'
import { jars } from './jars.ts'

/**
 * A stand-in for MongoDB (mongo-java-server) of the caller's own; docs/testing.md tells what it lacks.
 * @param keep folder of its data, which then outlive kill -9, restarts and the instance; without it they are in memory,
 * which is several times faster
 */
export const startMongo = async ({ keep }: { keep?: string } = {}): Promise<Instance> => {
  const { classpath } = await jars()
  const port = await freePort()
  const args = ['-Xmx1g', '-Dorg.slf4j.simpleLogger.defaultLogLevel=off', '-cp', classpath, 'StandIn', String(port)]
  if (keep !== undefined) {
    await mkdir(keep, { recursive: true })
    args.push(join(keep, 'mongo.mv'))
  }
  return startInstance({
    name: 'the MongoDB stand-in',
    address: `mongodb://127.0.0.1:${port}`,
    command: { command: 'java', args },
    answers: () => says({ port }),
    tidy: async () => undefined,
    keeps: keep !== undefined,
  })
}
