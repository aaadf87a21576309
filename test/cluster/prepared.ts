import process from 'node:process'
import { startLeashed } from '../backends/process.ts'
import { compiledIn, root } from './member.ts'

/** Runs the preparation to its end, as the chart's hook does before new pods come. */
export const prepared = async (
  env: Record<string, string>,
  tree = root,
): Promise<{ code: number | null; said: string }> => {
  let said = ''
  const leashed = await startLeashed({
    command: process.execPath,
    args: ['services/prepare/main.ts'],
    env: { ...compiledIn(tree), ...env },
    cwd: tree,
    print: (text) => {
      said += text
    },
  })
  return { code: await leashed.ended, said }
}
