import process from 'node:process'
import { type Child, startChild } from '../backends/process.ts'
import { compiledIn, root } from '../support/project.ts'

/** One of our programs as a process of its own, with what both of its streams said. */
export type Program = Child & { said(): string }

/** @param file from the tree's root on, such as `services/gateway/main.ts` */
export const startProgram = async (file: string, env: Record<string, string>, tree = root): Promise<Program> => {
  let said = ''
  const child = await startChild({
    command: process.execPath,
    args: [file],
    env: { ...compiledIn(tree), ...env },
    cwd: tree,
    print: (text) => {
      said += text
    },
  })
  return { ...child, said: () => said }
}

/** Runs one that is expected to end by itself. */
export const endOfProgram = async (
  ...given: Parameters<typeof startProgram>
): Promise<{ code: number | null; said: string }> => {
  const program = await startProgram(...given)
  return { code: await program.ended, said: program.said() }
}
