import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { compiledIn, root } from '../support/project.ts'

/** Ends a process that hangs. It takes 5 s on a quiet machine. */
const maxMs = 300_000

/**
 * Fills Node's compile cache with what the services import, if there is no cache. A process writes the cache only when
 * it exits, so without this all processes that start before the first one has exited compile everything: 1 s of CPU
 * each.
 */
export const fillCompileCache = async (): Promise<void> => {
  const cache = compiledIn(root)
  if (existsSync(cache.NODE_COMPILE_CACHE)) return
  const env = { ...process.env, ...cache }
  // A cache that is not filled costs time only.
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], { env, stdio: 'ignore', timeout: maxMs })
  await once(child, 'close')
}

/** Imports what every service imports, but starts none. */
const importServices = async (): Promise<void> => {
  for (const main of globSync('services/*/main.ts', { cwd: root })) {
    const file = join(root, main)
    const { resolve } = createRequire(file)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import|.* from) '(.+)'$/gm))
      await import(pathToFileURL(resolve(name)).href)
  }
}

if (import.meta.main) {
  await importServices()
  // Exiting writes the cache; an imported library may hold the process.
  process.exit()
}
