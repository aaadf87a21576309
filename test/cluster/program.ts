import process from 'node:process'
import { type Child, startChild } from '../backends/process.ts'
import { compiledIn, root } from '../support/project.ts'

/** One of our programs, as a process. */
export type Program = Child & {
  /** Returns everything that it printed on both streams. */
  output(): string
}

/** Starts a program. @param file its path in the tree, such as `services/gateway/main.ts` */
export const startProgram = async (file: string, env: Record<string, string>, tree = root): Promise<Program> => {
  let output = ''
  const child = await startChild({
    command: process.execPath,
    args: [file],
    env: { ...compiledIn(tree), ...env },
    cwd: tree,
    print: (text) => {
      output += text
    },
  })
  return { ...child, output: () => output }
}

/** Runs a program that ends by itself. */
export const runProgram = async (
  ...args: Parameters<typeof startProgram>
): Promise<{ code: number | null; output: string }> => {
  const program = await startProgram(...args)
  return { code: await program.ended, output: program.output() }
}

/** Runs the preparation, as the chart's hook does before new pods start. */
export const runPrepare = (env: Record<string, string>): ReturnType<typeof runProgram> =>
  runProgram('services/prepare/main.ts', env)
