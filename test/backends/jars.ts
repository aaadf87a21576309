import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { freePort } from '../support/freePort.ts'
import { step } from '../support/progress.ts'
import { until } from '../support/until.ts'
import { asProperties, kafkaJvm, kafkaSettings } from './kafkaSettings.ts'

const run = promisify(execFile)
const here = import.meta.dirname
const cache = join(here, '../../node_modules/.cache/postrider-backends')
const buildMs = 300_000

/** Files that Maven downloaded and compiled. */
export type Jars = {
  classpath: string
  redisServer: string
  /** JVM options to load Kafka's classes from an archive; empty if it could not be created. */
  archived: readonly string[]
}

/** Returns why the jars are not available, or null if they exist or can be built. */
export const whyNoJars = async (): Promise<string | null> => {
  const java = await run('java', ['-version']).then(
    ({ stderr }) => Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0),
    () => 0,
  )
  // Kafka 4 brokers require Java 17.
  if (java < 17) return java === 0 ? 'Java is missing' : `Java is ${java}, 17 is required`
  if (existsSync(join(cache, await key()))) return null
  return run('mvn', ['--version']).then(
    () => null,
    () => 'Maven is missing',
  )
}

/** Returns the jars and builds them if they are not in the cache. Concurrent callers wait for one build. */
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

/** Suppresses the warning of a JVM that ignores the archive because another Java version wrote it. */
const quietArchive = ['-Xlog:cds=off', '-Xlog:cds+dynamic=off']

/** An archive contains only classes from jars, so ours are in a jar if it could be created. */
const classpathOf = (built: string): string =>
  existsSync(join(built, 'lib/postrider.jar')) ? `${built}/lib/*` : `${built}/classes:${built}/lib/*`

/** Returns the hash of all inputs of a build. */
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
    async () => (existsSync(built) ? 'other' : (await acquire(lock)) ? 'this' : undefined),
    buildMs,
  )
  if (locked === 'other') return
  try {
    if (existsSync(built)) return
    const what =
      'back ends: downloading and compiling Kafka, Redis and the stand-in for MongoDB, once (125 MB, about 20 s)'
    await step(what, () => build(built), { print: console.log })
  } finally {
    await rm(lock, { force: true })
  }
}

/** Creates a lock file, which contains the id of its process. If that process has ended, the lock is removed. */
const acquire = async (lock: string): Promise<boolean> => {
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

/** Builds in a temporary folder and renames it at the end, so a folder with the final name is complete. */
const build = async (built: string): Promise<void> => {
  const temporary = `${built}.${randomBytes(4).toString('hex')}`
  const goals = ['compiler:compile', 'dependency:copy-dependencies@lib', 'dependency:unpack-dependencies@redis']
  try {
    await run('mvn', ['-q', '-B', '-f', join(here, 'pom.xml'), `-Dbuilt=${temporary}`, ...goals], { timeout: buildMs })
    await chmod(join(temporary, 'redis', await redisName(temporary)), 0o755)
    await rename(temporary, built)
    await archiveClasses(built)
  } catch (reason) {
    await rm(temporary, { recursive: true, force: true })
    // Two processes can acquire the lock of an ended one. The other build is as good.
    if (existsSync(built)) return
    const { stdout = '', message } = reason as Error & { stdout?: string }
    throw new Error(`Maven failed to build the back ends of the tests: ${message}\n${stdout.slice(-2_000)}`)
  }
}

/**
 * Starts Kafka once to archive its classes. A start with the archive costs 2 s of CPU instead of 4. The archive
 * contains the paths of the jars, so it is created after the rename. Without the tool `jar` there is no archive, and
 * Kafka starts slowly.
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
    console.log(`back ends: cannot archive Kafka's classes: ${reason instanceof Error ? reason.message : reason}`)
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
