import { randomBytes } from 'node:crypto'
import type { SendingDomain } from '@postrider/domain/domains/domain.ts'
import { readDomainName } from '@postrider/domain/domains/domainName.ts'
import { tokenOf } from '@postrider/domain/domains/keys.ts'
import { firstCheckMs, newDomain } from '@postrider/domain/domains/life.ts'
import { platformDomains } from '@postrider/domain/domains/platform.ts'
import { Fault, invalid } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { createEntry } from './auditEntries.ts'
import type { Deps } from './deps.ts'

type CreateDeps = Pick<Deps, 'domains' | 'makeKeys' | 'budgets' | 'now' | 'settings' | 'limits'>

/**
 * Stores a domain that waits for its records.
 * @throws Fault `validation_failed`: no customer can own the name, or the workspace has as many domains as it may have;
 * `conflict`: the workspace has the domain; `unavailable`: too many keys are being made; `rate_limited`: the workspace
 * has had too many made
 */
export const createDomain = async (
  { domains, makeKeys, budgets, now, settings, limits }: CreateDeps,
  request: { workspace: string; name: string; actor: string; clientAddress?: string | undefined },
): Promise<SendingDomain> => {
  const read = readDomainName(request.name, platformDomains(settings))
  if (!read.ok) throw invalid({ path: 'name', code: read.code, message: read.message })
  const { name } = read
  const { workspace } = request
  // Before the keys, which cost far more than this read. The insert decides.
  if (await domains.byName(workspace, name)) throw existsFault(name)
  await budgets.takeKeys(workspace)
  const id = newId('dom')
  const keys = await makeKeys.make({ id, workspace }, ['rsa', 'ed25519'])
  const at = now()
  const domain = newDomain({ id, workspace, name, token: tokenOf(randomBytes(26)) }, keys, at)
  const result = await domains.insert(
    domain,
    at + firstCheckMs,
    limits.domains,
    createEntry(domain, { ...request, at }),
  )
  if (result === 'exists') throw existsFault(name)
  if (result === 'full') throw tooManyFault(limits.domains)
  return domain
}

const existsFault = (name: string): Fault =>
  new Fault('conflict', `The workspace already has the sending domain ${name}; use it.`)

const tooManyFault = (max: number): Fault =>
  invalid({
    path: '',
    code: 'too_many_domains',
    message: `A workspace may have at most ${max} sending domains; delete one, or ask the operator for a higher limit.`,
  })
