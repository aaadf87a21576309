import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { whyNoEngine } from '../backends/engine.ts'
import { type Ended, runs } from './command.ts'

const dockerfile = 'k8s/Dockerfile'

export const docker = (...args: string[]): Promise<Ended> => runs('docker', args)

/** @throws Error with what it said, where it didn't end with 0 */
export const mustDocker = async (...args: string[]): Promise<string> => {
  const { code, out, said } = await docker(...args)
  if (code !== 0) throw new Error(`docker ${args.join(' ')} ended with ${code}:\n${said}`)
  return out
}

/** The bases by their argument: as the environment says, or as the Dockerfile. */
const bases = async (): Promise<[argument: string, image: string][]> => {
  const said = [...(await readFile(dockerfile, 'utf8')).matchAll(/^ARG (\w+_IMAGE)=(\S+)$/gm)]
  return said.map(([, argument = '', image = '']) => [argument, process.env[argument] ?? image])
}

/** An image that is there already, to be tested instead of one built here. */
const given = process.env['POSTRIDER_TEST_IMAGE']
export const isBuiltHere = given === undefined

/** Why no image can be had here; null: one can. */
export const whyNoImage = async (): Promise<string | null> => {
  const why = await whyNoEngine()
  if (why !== null) return why
  if ((await docker('version')).code !== 0) return 'the docker command is not there, or finds no engine'
  const wanted = given === undefined ? (await bases()).map(([, image]) => image) : [given]
  for (const image of wanted) {
    const here = (await docker('image', 'inspect', image)).code === 0
    if (!here && (await docker('pull', '--quiet', image)).code !== 0) return `the image ${image} can't be had`
  }
  return null
}

/** @param target a stage of the Dockerfile. @returns the image's name */
export const buildImage = async (target?: string): Promise<string> => {
  if (given !== undefined) return given
  const name = `postrider-test${target === undefined ? '' : `-${target}`}`
  const args = (await bases()).flatMap(([argument, image]) => ['--build-arg', `${argument}=${image}`])
  const stage = target === undefined ? [] : ['--target', target]
  await mustDocker('build', '--quiet', '-f', dockerfile, '-t', name, ...args, ...stage, '.')
  return name
}

/** As a cluster under pod security "restricted" runs it, and without any network but its own loopback. */
const confined = ['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--network', 'none']

const variables = (env: Record<string, string>): string[] =>
  Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`])

type Given = {
  image: string
  env?: Record<string, string>
  command?: readonly string[]
  /** Its root may be written. */
  writable?: boolean
}

const options = ({ image, env = {}, command = [], writable = false }: Given): string[] => [
  ...confined,
  ...(writable ? [] : ['--read-only']),
  ...variables(env),
  image,
  ...command,
]

/** Runs it where it is expected to end by itself. */
export const runToEnd = (given: Given): Promise<Ended> => docker('run', '--rm', ...options(given))

/** A running container; removed with its volumes when disposed. */
export type Contained = AsyncDisposable & {
  /** Everything it printed so far, in all its lives. */
  said(): Promise<string>
  /** Runs a module of JavaScript in it. @returns what that printed, as JSON */
  inside<T>(code: string): Promise<T>
  /** SIGTERM, and 30 s to end. @returns the exit code */
  stop(): Promise<number>
  start(): Promise<void>
  /** The programs that run in it, each with its arguments. */
  programs(): Promise<string[]>
}

export const runContainer = async (given: Given): Promise<Contained> => {
  const id = (await mustDocker('run', '-d', ...options(given))).trim()
  return {
    said: async () => (await docker('logs', id)).said,
    inside: async (code) => JSON.parse(await mustDocker('exec', id, 'node', '--input-type=module', '-e', code)),
    stop: async () => {
      await mustDocker('stop', '-t', '30', id)
      return Number(await mustDocker('inspect', '-f', '{{.State.ExitCode}}', id))
    },
    start: async () => void (await mustDocker('start', id)),
    programs: async () => (await mustDocker('top', id, '-o', 'pid,args')).trim().split('\n').slice(1),
    [Symbol.asyncDispose]: async () => void (await docker('rm', '-f', '-v', id)),
  }
}
