import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/**
 * Returns the environment of a thread: only the compile cache of the process, if it has one, because other variables
 * contain secrets. With it a thread starts with half the CPU. Node stores compiled code in a subfolder for its version.
 */
export const threadEnv = (): { NODE_COMPILE_CACHE?: string } => {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
