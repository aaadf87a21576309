import {
  type ReadEntries,
  readNetworks,
  readRecipients,
  readSenderNames,
} from '@postrider/domain/accounts/keyRestrictions.ts'
import type { Problem } from '@postrider/kit/fault.ts'
import type { StoredKey } from '@postrider/ports/accounts.ts'
import type { Deps } from './deps.ts'

/** The limits of a key; an empty list is no limit. */
export type KeyLimits = Pick<StoredKey, 'domains' | 'networks' | 'recipients'>

/** The limits that a request sets, as a person entered them; an absent limit is not set. */
export type LimitRequest = { [Name in keyof KeyLimits]?: readonly string[] }

/**
 * Returns the limits of a request as they are stored, and every problem. The workspace's domains are read from the store, and
 * only if the request names some, so keys can be made while no process of the domains service runs.
 */
export const readLimits = async (
  { domains: store }: Pick<Deps, 'domains'>,
  workspace: string,
  { domains, networks, recipients }: LimitRequest,
): Promise<{ values: Partial<KeyLimits>; problems: Problem[] }> => {
  const usable = domains !== undefined && domains.length > 0 ? await store.senders(workspace) : []
  const read: [keyof KeyLimits, ReadEntries][] = [
    ...(domains === undefined ? [] : [['domains', readSenderNames(domains, usable)] as [keyof KeyLimits, ReadEntries]]),
    ...(networks === undefined ? [] : [['networks', readNetworks(networks)] as [keyof KeyLimits, ReadEntries]]),
    ...(recipients === undefined ? [] : [['recipients', readRecipients(recipients)] as [keyof KeyLimits, ReadEntries]]),
  ]
  return {
    values: Object.fromEntries(read.flatMap(([name, result]) => (result.ok ? [[name, result.values]] : []))),
    problems: read.flatMap(([, result]) => (result.ok ? [] : result.problems)),
  }
}
