import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Returns the variable that makes Node cache the compiled code of a tree: its next process starts with half the CPU.
 */
export const compiledIn = (tree: string): { NODE_COMPILE_CACHE: string } => ({
  NODE_COMPILE_CACHE: join(tree, 'node_modules/.cache/postrider-compiled'),
})

/**
 * Flags for Node with which it resolves each module of ours once (`resolveOnce.ts`): a process starts with a sixth less
 * CPU.
 */
export const resolvingOnce: readonly string[] = ['--import', new URL('resolveOnce.ts', import.meta.url).href]
