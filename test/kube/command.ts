import { execFile } from 'node:child_process'
import { withTools } from '../../charts/gen/tools.ts'
import { root } from '../support/project.ts'
import { skip } from '../support/skip.ts'

const maxOutputBytes = 64 * 1024 * 1024

/** `code` is null if the program does not exist; `output` is stdout and stderr. */
export type CommandResult = { code: number | null; stdout: string; output: string }

/** Runs a program in the project's root until it exits. */
export const run = (command: string, args: readonly string[]): Promise<CommandResult> =>
  new Promise((resolve) => {
    execFile(command, args, { cwd: root, env: withTools(), maxBuffer: maxOutputBytes }, (thrown, stdout, stderr) => {
      const failed = typeof thrown?.code === 'number' ? thrown.code : null
      resolve({ code: thrown ? failed : 0, stdout, output: `${stdout}${stderr}` })
    })
  })

/** Runs a program that must exit with 0, and returns its stdout.
 * @throws Error with its output */
export const mustRun = async (command: string, ...args: string[]): Promise<string> => {
  const { code, stdout, output } = await run(command, args)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} exited with ${code}:\n${output}`)
  return stdout
}

/** Skips the `describe` that calls it if `reasonOf` returns a reason. */
export const skipSuiteIf = (reasonOf: () => Promise<string | null>): void => {
  before(async function skipWithReason() {
    const why = await reasonOf()
    if (why === null) return
    skip(this, why)
  })
}

/** Returns the reason why a program is unavailable, or null. */
export const whyNoCommand = async (command: string, args: readonly string[]): Promise<string | null> => {
  const { code } = await run(command, args)
  return code === 0 ? null : `${command} is not installed or does not work`
}

/**
 * Returns the folder of a Go module, which `go` downloads if necessary.
 * @param module with its version, such as `sigs.k8s.io/kwok@v0.8.0`
 */
export const goModuleFolder = async (module: string): Promise<string> =>
  (JSON.parse(await mustRun('go', 'mod', 'download', '-json', module)) as { Dir: string }).Dir
