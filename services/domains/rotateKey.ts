import type { NewKey, SendingDomain } from '@postrider/domain/domains/domain.ts'
import { rotatedAlgorithms, withRotation } from '@postrider/domain/domains/keys.ts'
import { rotationCheckMs } from '@postrider/domain/domains/life.ts'
import { rotationEntry } from './auditEntries.ts'
import { changeDomain } from './changeDomain.ts'
import type { Deps } from './deps.ts'
import type { KeyMaker } from './makeKeys.ts'

type RotateDeps = Pick<Deps, 'domains' | 'makeKeys' | 'budgets' | 'now' | 'random' | 'pause'>

/**
 * Starts a rotation of a domain.
 * @param made keys that an earlier try made; new ones are added
 * @returns null: a rotation runs already, and the record of its key is shown
 */
export const rotated = async (
  { makeKeys, now }: Pick<Deps, 'makeKeys' | 'now'>,
  domain: SendingDomain,
  made: NewKey[] = [],
): Promise<{ domain: SendingDomain; checkAt: number } | null> => {
  const wanted = rotatedAlgorithms(domain)
  if (wanted.length === 0) return null
  const lacking = wanted.filter((algorithm) => !made.some((key) => key.algorithm === algorithm))
  if (lacking.length > 0) made.push(...(await makeKeys.make(domain, lacking)))
  const at = now()
  const fresh = made.filter(({ algorithm }) => wanted.includes(algorithm))
  return { domain: withRotation(domain, fresh, at), checkAt: at + rotationCheckMs }
}

/**
 * Starts a rotation that a person requested, unless one runs.
 * @throws Fault `rate_limited`: the workspace has had too many keys made
 */
export const rotateKey = async (
  deps: RotateDeps,
  request: { workspace: string; id: string; actor: string; clientAddress?: string | undefined },
): Promise<SendingDomain> => {
  const made: NewKey[] = []
  const makeKeys: KeyMaker = {
    make: async (...parameters) => {
      await deps.budgets.takeKeys(request.workspace)
      return deps.makeKeys.make(...parameters)
    },
  }
  const { after } = await changeDomain(deps, request, async (before) => {
    const next = await rotated({ ...deps, makeKeys }, before, made)
    return next && { ...next, audit: rotationEntry(before, next.domain, { ...request, at: deps.now() }) }
  })
  return after
}
