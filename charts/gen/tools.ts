import { delimiter, join } from 'node:path'
import process from 'node:process'

/** Where `npm run tools` puts programs that aren't npm's. */
export const toolsFolder = join(import.meta.dirname, '../../node_modules/.cache/postrider-tools')

/** The environment in which they are found, behind those that the machine has. */
export const withTools = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [process.env['PATH'], join(toolsFolder, 'bin')].join(delimiter),
  PYTHONPATH: [process.env['PYTHONPATH'] ?? [], toolsFolder].flat().join(delimiter),
})
