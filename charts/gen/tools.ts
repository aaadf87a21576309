import { delimiter, join } from 'node:path'
import process from 'node:process'

/** Where `npm run tools` installs programs that are not npm packages. */
export const toolsFolder = join(import.meta.dirname, '../../node_modules/.cache/postrider-tools')

/** Returns an environment that also finds these programs, after those of the machine. */
export const withTools = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [process.env['PATH'], join(toolsFolder, 'bin')].join(delimiter),
  PYTHONPATH: [process.env['PYTHONPATH'] ?? [], toolsFolder].flat().join(delimiter),
})
