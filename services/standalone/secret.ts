import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { needingSpace } from '@postrider/adapters/sqlite/diskSpace.ts'
import { Fault } from '@postrider/kit/fault.ts'

/** Returns the master key: the configured one, or one made at the first start and stored next to the database, mode 0600. */
export const masterKey = (dataDirectory: string, configured: string | undefined): string => {
  if (configured !== undefined) return configured
  const path = join(dataDirectory, 'secret')
  if (!existsSync(path)) needingSpace(path, () => makeSecret(path))
  const secret = readFileSync(path, 'utf8').trim()
  if (secret.length < 32)
    throw new Fault('conflict', `${path} does not contain a valid secret; restore it from a backup.`)
  return secret
}

/** Writes the file atomically, so that a crash leaves no partial secret. The data directory is locked by this process. */
const makeSecret = (path: string): void => {
  const unfinished = `${path}.new`
  writeFileSync(unfinished, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
  renameSync(unfinished, path)
}
