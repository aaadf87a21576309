import { delimiter, join } from 'node:path'
import process from 'node:process'

/** Folder into which `npm run tools` installs programs that are not npm packages. */
export const toolsFolder = join(import.meta.dirname, '../../node_modules/.cache/postrider-tools')

/** Folder of its Python packages and their programs. It has no others, because pip replaces the `bin` of its target. */
export const pythonFolder = join(toolsFolder, 'python')

/**
 * Returns an environment that also finds these programs, after those of the machine. They are short, so they collect
 * garbage less often: `helm template` uses 0.4 s of CPU instead of 0.5 s.
 */
export const withTools = (): NodeJS.ProcessEnv => ({
  GOGC: '400',
  ...process.env,
  PATH: [process.env['PATH'], join(toolsFolder, 'bin'), join(pythonFolder, 'bin')].join(delimiter),
  PYTHONPATH: [process.env['PYTHONPATH'] ?? [], pythonFolder].flat().join(delimiter),
})
