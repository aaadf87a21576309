import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { freePort } from '../support/freePort.ts'
import { until } from '../support/until.ts'
import { asProperties, kafkaJvm, kafkaSettings } from './kafkaSettings.ts'

const run = promisify(execFile)
const here = import.meta.dirname
const cache = join(here, '../../node_modules/.cache/postrider-backends')
const buildMs = 300_000

/** What Maven has fetched and compiled. */
export type Jars = {
  classpath: string
  redisServer: string
  /** Options of a JVM that starts from an archive of Kafka's classes; empty where none could be made. */
  archived: readonly string[]
}

/** Why there are none here; null: there are, or can be. */
export const whyNoJars = async (): Promise<string | null> => {
  const java = await run('java', ['-version']).then(
    ({ stderr }) => Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0),
    () => 0,
  )
  // What Kafka 4 asks of a broker's JVM.
  if (java < 17) return java === 0 ? 'Java is missing' : `Java is ${java}, 17 is asked`
  if (existsSync(join(cache, await key()))) return null
  return run('mvn', ['--version']).then(
    () => null,
    () => 'Maven is missing',
  )
}

/** Builds them where they aren't in the cache yet; suites that ask at the same time wait for one build. */
export const jars = async (): Promise<Jars> => {
  const built = join(cache, await key())
  if (!existsSync(built)) await buildOnce(built)
  return {
    classpath: classpathOf(built),
    redisServer: join(built, 'redis', await redisName(built)),
    archived: existsSync(join(built, archive))
      ? [`-XX:SharedArchiveFile=${join(built, archive)}`, ...quietArchive]
      : [],
  }
}

const archive = 'kafka.jsa'

/** Another Java than the one that wrote the archive ignores it; the warning about that is of no use. */
const quietArchive = ['-Xlog:cds=off', '-Xlog:cds+dynamic=off']

/** Our classes are a jar too where it could be made: an archive holds no classes of a folder. */
const classpathOf = (built: string): string =>
  existsSync(join(built, 'lib/postrider.jar')) ? `${built}/lib/*` : `${built}/classes:${built}/lib/*`

/** Of all that goes into a build. */
const key = async (): Promise<string> => {
  const sources = (await readdir(join(here, 'java'))).sort().map((name) => join(here, 'java', name))
  const hash = createHash('sha256')
  for (const file of [join(here, 'pom.xml'), ...sources]) hash.update(await readFile(file))
  return hash.digest('hex').slice(0, 16)
}

const buildOnce = async (built: string): Promise<void> => {
  await mkdir(cache, { recursive: true })
  const lock = `${built}.lock`
  const locked = await until(
    'another build of the back ends ends',
    async () => (existsSync(built) ? 'theirs' : (await take(lock)) ? 'ours' : undefined),
    buildMs,
  )
  if (locked === 'theirs') return
  try {
    if (!existsSync(built)) await build(built)
  } finally {
    await rm(lock, { force: true })
  }
}

/** A lock holds the id of its process; one whose process is gone is worth nothing. */
const take = async (lock: string): Promise<boolean> => {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''))
    if (holder > 0 && !isAlive(holder)) await rm(lock, { force: true })
    return false
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (reason) {
    return (reason as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Takes its name at the end, so that what has the name is whole. */
const build = async (built: string): Promise<void> => {
  const making = `${built}.${randomBytes(4).toString('hex')}`
  const goals = ['compiler:compile', 'dependency:copy-dependencies@lib', 'dependency:unpack-dependencies@redis']
  try {
    await run('mvn', ['-q', '-B', '-f', join(here, 'pom.xml'), `-Dbuilt=${making}`, ...goals], { timeout: buildMs })
    await chmod(join(making, 'redis', await redisName(making)), 0o755)
    await rename(making, built)
    await archiveClasses(built)
  } catch (reason) {
    await rm(making, { recursive: true, force: true })
    // Theirs is as good, where a lock of the dead was taken twice.
    if (existsSync(built)) return
    const { stdout = '', message } = reason as Error & { stdout?: string }
    throw new Error(`Maven can't build the back ends of the tests: ${message}\n${stdout.slice(-2_000)}`)
  }
}

/**
 * Starts Kafka once for the archive of its classes. A start from it costs 2 s of CPU instead of 4. The archive knows its
 * jars by their paths, so this comes after the rename. Without `jar` there is no archive, and Kafka starts slowly.
 */
const archiveClasses = async (built: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-kafka-'))
  try {
    const jar = join(built, 'lib/postrider.jar')
    await run('jar', ['--create', '--file', `${jar}.new`, '-C', join(built, 'classes'), '.'])
    await rename(`${jar}.new`, jar)
    const [port, controllerPort] = [await freePort(), await freePort()]
    const settings = kafkaSettings({ host: '127.0.0.1', port, controllerPort, address: `127.0.0.1:${port}` })
    const properties = join(folder, 'server.properties')
    await writeFile(properties, asProperties({ ...settings, 'log.dirs': join(folder, 'logs') }))
    const options = ['-Drehearsal=true', `-XX:ArchiveClassesAtExit=${join(built, archive)}`, ...quietArchive]
    await run('java', [...kafkaJvm, ...options, '-cp', classpathOf(built), 'Broker', properties], { timeout: buildMs })
  } catch (reason) {
    console.log(`back ends: no archive of Kafka's classes: ${reason instanceof Error ? reason.message : reason}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const redisName = async (built: string): Promise<string> => {
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  const name = (await readdir(join(built, 'redis'))).find((one) => one.endsWith(platform))
  if (name === undefined) throw new Error(`no redis-server for ${platform} among the jars`)
  return name
}
