import { endOfProgram } from './program.ts'

/** Runs the preparation to its end, as the chart's hook does before new pods come. */
export const prepared = (env: Record<string, string>, tree?: string): ReturnType<typeof endOfProgram> =>
  endOfProgram('services/prepare/main.ts', env, tree)
