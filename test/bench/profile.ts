import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startClusterContestant } from './cluster.ts'
import { type Contestant, startPostrider } from './contestants.ts'
import { measure } from './measure.ts'
import type { Plan } from './plans.ts'
import { startSink } from './sink.ts'

/** The fields of V8's .cpuprofile that this file reads; times in microseconds. */
type CpuProfile = {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

const root = fileURLToPath(new URL('../../', import.meta.url))

const fileOf = (url: string): string => url.replace('file://', '').replace(root, '') || '(native)'

/**
 * Returns one line for each of the `count` most expensive groups of frames, in percent of the time that is not idle.
 */
const topOf = (
  profile: CpuProfile,
  by: (frame: CpuProfile['nodes'][number]['callFrame']) => string,
  count: number,
): string[] => {
  const names = new Map(profile.nodes.map((node) => [node.id, node.callFrame]))
  const spent = new Map<string, number>()
  let busy = 0
  for (const [index, id] of profile.samples.entries()) {
    const frame = names.get(id)
    const us = profile.timeDeltas[index] ?? 0
    if (frame === undefined || frame.functionName === '(idle)' || frame.functionName === '(root)') continue
    busy += us
    spent.set(by(frame), (spent.get(by(frame)) ?? 0) + us)
  }
  return [...spent]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(
      ([name, us]) =>
        `  ${((us * 100) / busy).toFixed(1).padStart(5)} %  ${(us / 1_000).toFixed(0).padStart(6)} ms  ${name}`,
    )
}

/** Parts of the program. A frame belongs to the first whose pattern matches its file and function. */
const parts: readonly [part: string, pattern: RegExp][] = [
  ['SQLite: commit and fsync', /groupCommit/],
  ['SQLite: statements', /adapters\/sqlite/],
  ['BSON', /node_modules\/bson/],
  ['MongoDB: driver', /node_modules\/mongodb/],
  ['MongoDB: our adapters', /adapters\/mongo/],
  ['gRPC', /node_modules\/@?grpc|node:internal\/http2|adapters\/grpc|kit\/grpc/],
  ['protobuf', /node_modules\/(@protobufjs|protobufjs|long)|Root\/|(encode|decode|fromObject|toObject|verify)\$?\w*$/],
  ['Kafka', /node_modules\/kafkajs|adapters\/kafka/],
  ['Redis', /node_modules\/(ioredis|redis-)|adapters\/redis/],
  ['tracing', /node_modules\/@opentelemetry|kit\/trace/],
  ['garbage collection', /garbage collector/],
  ['sockets: writes', /^\(native\) (write|shutdown)/],
  ['MIME', /packages\/mail/],
  ['SMTP client', /adapters\/smtp/],
  ['dispatcher', /services\/dispatcher/],
  ['intake, quota', /services\/(intake|quota)/],
  ['HTTP: Koa and our edge', /services\/gateway|node_modules\/(@?koa|on-finished|ee-first|statuses|content-)/],
  ['request schema', /node_modules\/zod|packages\/contracts/],
  ['logs and metrics', /pino|sonic-boom|prom-client|kit\/(log|metrics)/],
  ['ids and hashes', /kit\/ids|node:internal\/crypto/],
  ['Node: http, streams, events', /node:/],
]

const partOf = ({ functionName, url }: CpuProfile['nodes'][number]['callFrame']): string => {
  const name = `${fileOf(url)} ${functionName}`
  return parts.find(([, pattern]) => pattern.test(name))?.[0] ?? 'other'
}

const summary = (read: CpuProfile): string[] => [
  'by part',
  ...topOf(read, partOf, parts.length + 1),
  'by function',
  ...topOf(read, (frame) => `${frame.functionName || '(anonymous)'} ${fileOf(frame.url)}:${frame.lineNumber + 1}`, 45),
  'by file',
  ...topOf(read, (frame) => fileOf(frame.url), 30),
]

type Profiled = { contestant: Contestant; nameOf(pid: number): string }

/** Node's file names are `CPU.<date>.<time>.<process>.<thread>.<number>.cpuprofile`; the main thread is 0. */
const pidOf = (file: string): number => Number(file.split('.')[3])
const isMainThread = (file: string): boolean => file.split('.')[4] === '0'

/** Measures a contestant under V8's profiler and returns the summary of each of its processes. */
const profiled = async (start: (sinkPort: number, flag: string) => Promise<Profiled>, plan: Plan): Promise<string> => {
  const directory = mkdtempSync(join(tmpdir(), 'postrider-profile-'))
  await using sink = await startSink()
  const { contestant, nameOf } = await start(sink.port, `--cpu-prof-dir=${directory}`)
  const measured = await measure(contestant, sink, plan)
  await contestant.close()
  const lines = readdirSync(directory)
    .filter(isMainThread)
    .flatMap((file) => {
      const text = readFileSync(join(directory, file), 'utf8')
      return ['', nameOf(pidOf(file)), ...summary(JSON.parse(text) as CpuProfile)]
    })
  rmSync(directory, { recursive: true })
  return `${JSON.stringify(measured)}\n${lines.join('\n')}\n`
}

/** Profiles standalone. */
export const profileStandalone = (plan: Plan): Promise<string> =>
  profiled(async (sinkPort, folderFlag) => {
    const contestant = await startPostrider(sinkPort, { env: { NODE_OPTIONS: `--cpu-prof ${folderFlag}` } })
    return { contestant, nameOf: () => 'Postrider' }
  }, plan)

/** Profiles each process of a cluster. */
export const profileCluster = (plan: Plan): Promise<string> =>
  profiled(async (sinkPort, folderFlag) => {
    const contestant = await startClusterContestant(sinkPort, { flags: ['--cpu-prof', folderFlag] })
    const { members } = contestant.cluster
    const names = new Map(members.map((member) => [member.pid(), member.service]))
    return { contestant, nameOf: (pid) => names.get(pid) ?? '' }
  }, plan)
