import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { whyNoEngine } from '../backends/engine.ts'
import { type CommandResult, mustRun, run } from './command.ts'

const dockerfile = 'k8s/Dockerfile'

const docker = (...args: string[]): Promise<CommandResult> => run('docker', args)

/** Returns stdout.
 * @throws Error with the output if the exit code is not 0 */
export const mustDocker = (...args: string[]): Promise<string> => mustRun('docker', ...args)

/** Returns the base images by build argument: the environment's, or the defaults of the Dockerfile. */
const bases = async (): Promise<[argument: string, image: string][]> => {
  const defaults = [...(await readFile(dockerfile, 'utf8')).matchAll(/^ARG (\w+_IMAGE)=(\S+)$/gm)]
  return defaults.map(([, argument = '', image = '']) => [argument, process.env[argument] ?? image])
}

/** An existing image to test instead of building one. */
const existingImage = process.env['POSTRIDER_TEST_IMAGE']
export const isBuiltHere = existingImage === undefined

/** Returns the reason why no image can be built or pulled, or null. */
export const whyNoImage = async (): Promise<string | null> => {
  const why = await whyNoEngine()
  if (why !== null) return why
  if ((await docker('version')).code !== 0) return 'the docker command is not installed or finds no engine'
  const wanted = existingImage === undefined ? (await bases()).map(([, image]) => image) : [existingImage]
  for (const image of wanted) {
    const exists = (await docker('image', 'inspect', image)).code === 0
    if (!exists && (await docker('pull', '--quiet', image)).code !== 0) return `cannot pull the image ${image}`
  }
  return null
}

/** Builds an image and returns its name. @param target a stage of the Dockerfile */
export const buildImage = async (target?: string): Promise<string> => {
  if (existingImage !== undefined) return existingImage
  const name = `postrider-test${target === undefined ? '' : `-${target}`}`
  const args = (await bases()).flatMap(([argument, image]) => ['--build-arg', `${argument}=${image}`])
  const stage = target === undefined ? [] : ['--target', target]
  await mustDocker('build', '--quiet', '-f', dockerfile, '-t', name, ...args, ...stage, '.')
  return name
}

/** The restrictions of pod security "restricted", and no network except loopback. */
const confined = ['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--network', 'none']

const variables = (env: Record<string, string>): string[] =>
  Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`])

type ContainerOptions = {
  image: string
  env?: Record<string, string>
  command?: readonly string[]
  /** Whether the root file system is writable. */
  writable?: boolean
}

const runArguments = ({ image, env = {}, command = [], writable = false }: ContainerOptions): string[] => [
  ...confined,
  ...(writable ? [] : ['--read-only']),
  ...variables(env),
  image,
  ...command,
]

/** Runs a container until it exits. */
export const runToEnd = (options: ContainerOptions): Promise<CommandResult> =>
  docker('run', '--rm', ...runArguments(options))

/** A running container. Disposing removes it and its volumes. */
export type RunningContainer = AsyncDisposable & {
  /** Returns everything that it printed since it was created, including before restarts. */
  output(): Promise<string>
  /** Runs a JavaScript module in it and returns its output, parsed as JSON. */
  runInside<T>(code: string): Promise<T>
  /** Sends SIGTERM, SIGKILL after 30 s. Returns the exit code. */
  stop(): Promise<number>
  start(): Promise<void>
  /** Returns the processes in it with their arguments. */
  programs(): Promise<string[]>
}

/** Starts a container in the background. */
export const runContainer = async (options: ContainerOptions): Promise<RunningContainer> => {
  const id = (await mustDocker('run', '-d', ...runArguments(options))).trim()
  return {
    output: async () => (await docker('logs', id)).output,
    runInside: async (code) => JSON.parse(await mustDocker('exec', id, 'node', '--input-type=module', '-e', code)),
    stop: async () => {
      await mustDocker('stop', '-t', '30', id)
      return Number(await mustDocker('inspect', '-f', '{{.State.ExitCode}}', id))
    },
    start: async () => void (await mustDocker('start', id)),
    programs: async () => (await mustDocker('top', id, '-o', 'pid,args')).trim().split('\n').slice(1),
    [Symbol.asyncDispose]: async () => void (await docker('rm', '-f', '-v', id)),
  }
}
