import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '@postrider/kit/fault.ts'

/** The master key: the operator's, or one made at the first start and kept beside the database, for its owner alone. */
export const masterKey = (dataDirectory: string, given: string | undefined): string => {
  if (given !== undefined) return given
  const path = join(dataDirectory, 'secret')
  if (!existsSync(path)) makeSecret(path)
  const secret = readFileSync(path, 'utf8').trim()
  if (secret.length < 32) throw new Fault('conflict', `${path} holds no usable secret; put a backup of it there.`)
  return secret
}

/** Whole or not at all: a crash must not leave an empty file. Nobody else makes one, the data directory is locked. */
const makeSecret = (path: string): void => {
  const unfinished = `${path}.new`
  writeFileSync(unfinished, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
  renameSync(unfinished, path)
}
