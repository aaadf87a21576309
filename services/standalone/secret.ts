import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { needingSpace } from '@postrider/adapters/sqlite/client/diskSpace.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { masterSecrets } from '@postrider/kit/secretBox.ts'
import { isToken } from '@postrider/kit/settings.ts'

const minMasterKeyLength = 32
const minTokenLength = 16

/**
 * Returns the master key: the configured one, or one made at the first start and stored next to the database,
 * mode 0600.
 */
export const masterKey = (dataDirectory: string, configured: string | undefined): string => {
  if (configured !== undefined) return configured
  const path = join(dataDirectory, 'secret')
  const secret = storedOrNew(path)
  if (secret.length < minMasterKeyLength)
    throw new Fault('conflict', `${path} does not contain a valid secret; restore it from a backup.`)
  return secret
}

/**
 * Returns the master keys that decrypt; the first one also encrypts. The one of the data directory stays valid for what
 * was encrypted before one was configured.
 */
export const masterKeys = (dataDirectory: string, configured: string | undefined): [string, ...string[]] => {
  if (configured === undefined) return [masterKey(dataDirectory, undefined)]
  const path = join(dataDirectory, 'secret')
  const former = existsSync(path) ? storedOrNew(path) : ''
  return [...masterSecrets(configured), ...(former.length < minMasterKeyLength ? [] : [former])]
}

/** The token of the operator API, and the file that contains it; null: the operator has configured it. */
export type OperatorToken = { token: string; file: string | null }

/** Returns the operator's token: the configured one, or one made once and stored next to the database, mode 0600. */
export const operatorToken = (dataDirectory: string, configured: string | undefined): OperatorToken => {
  if (configured !== undefined) return { token: configured, file: null }
  const file = join(dataDirectory, 'operator-token')
  const token = storedOrNew(file)
  // The same rule as for a configured one.
  if (token.length < minTokenLength || !isToken(token))
    throw new Fault(
      'conflict',
      `${file} does not contain a valid token; delete it, and the next start makes a new one.`,
    )
  return { token, file }
}

const storedOrNew = (path: string): string => {
  if (!existsSync(path)) needingSpace(path, () => makeSecret(path))
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (cause) {
    throw new Fault('conflict', `${path} cannot be read; give the user of this process the right to read it.`, {
      cause,
    })
  }
}

/**
 * Writes the file atomically, so that a crash leaves no partial secret. The data directory is locked by this process.
 */
const makeSecret = (path: string): void => {
  const unfinished = `${path}.new`
  writeFileSync(unfinished, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
  renameSync(unfinished, path)
}
