import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Where Node stores what it compiled of a tree: the next process of that tree starts with half the CPU. */
export const compiledIn = (tree: string): { NODE_COMPILE_CACHE: string } => ({
  NODE_COMPILE_CACHE: join(tree, 'node_modules/.cache/postrider-compiled'),
})
