import { randomBytes } from 'node:crypto'
import { bySystem } from '@postrider/domain/audit/entry.ts'
import { platformWorkspace, type SendingDomain } from '@postrider/domain/domains/domain.ts'
import { tokenOf } from '@postrider/domain/domains/keys.ts'
import { newDomain } from '@postrider/domain/domains/life.ts'
import { platformSenderDomain } from '@postrider/domain/domains/platform.ts'
import { newId } from '@postrider/kit/ids.ts'
import { createEntry } from './auditEntries.ts'
import type { Deps } from './deps.ts'

type PlatformDeps = Pick<Deps, 'domains' | 'makeKeys' | 'now' | 'settings'>

/** An operator may have changed the sender many times; each former domain stays, because mail of it may wait. */
const maxPerPlatform = 10_000

/**
 * Returns the domain of the shared sender. Its keys are made once: of several processes that start together, the
 * insert of one wins.
 */
export const platformDomain = async ({ domains, makeKeys, now, settings }: PlatformDeps): Promise<SendingDomain> => {
  const name = platformSenderDomain(settings)
  const workspace = platformWorkspace
  const stored = await domains.byName(workspace, name)
  if (stored) return stored.domain
  const id = newId('dom')
  const keys = await makeKeys.make({ id, workspace }, ['rsa', 'ed25519'])
  const at = now()
  const domain = newDomain({ id, workspace, name, token: tokenOf(randomBytes(26)) }, keys, at)
  const result = await domains.insert(domain, at, maxPerPlatform, createEntry(domain, bySystem(at)))
  if (result === 'inserted') return domain
  const winner = await domains.byName(workspace, name)
  if (winner) return winner.domain
  throw new Error(`the domain ${name} of the operator cannot be stored`)
}
