import type { Lane } from '@postrider/domain/email/email.ts'
import { until } from '../support/until.ts'

export type Tenants = {
  /** Has an email to one recipient accepted. @returns its id */
  submit(tenant: 'busy' | 'other', lane: Lane): Promise<string>
  /** Ids of all emails that were delivered, in their order. */
  delivered(): readonly string[]
}

export type Fairness = {
  /** How many emails of the busy tenant were delivered while one of the other tenant waited, at most, for each lane. */
  transactional: number
  marketing: number
  /** How many emails of the busy tenant were not delivered when the last of the other tenant was. */
  busyLeft: number
}

const otherCount = 10
const atOnce = 32

/**
 * Measures how one tenant's backlog of marketing mail delays ten emails that another sends in each lane. It counts the
 * emails that go first, because a slow machine delays all of them alike.
 * @param start is called between the two; from then on mail is delivered
 */
export const fairTenants = async (
  { submit, delivered }: Tenants,
  start: () => void | Promise<void>,
  { busyCount = 20_000, deadlineMs = 60_000 } = {},
): Promise<Fairness> => {
  const busy = new Set<string>()
  let left = busyCount
  const submitBusy = async () => {
    while (left-- > 0) busy.add(await submit('busy', 'marketing'))
  }
  await Promise.all(Array.from({ length: atOnce }, submitBusy))
  await start()

  /** @returns the number of the busy tenant's emails that were delivered between the acceptance of one and its delivery */
  const overtaken = async (lane: Lane): Promise<number> => {
    const id = await submit('other', lane)
    const from = delivered().length
    const isThere = () => (delivered().includes(id, 0) ? true : undefined)
    await until(`mail ${id} of lane ${lane} is delivered`, isThere, deadlineMs)
    return delivered()
      .slice(from, delivered().indexOf(id))
      .filter((one) => busy.has(one)).length
  }
  const tenOf = async (lane: Lane): Promise<number> =>
    Math.max(...(await Promise.all(Array.from({ length: otherCount }, () => overtaken(lane)))))
  const [marketing, transactional] = await Promise.all([tenOf('marketing'), tenOf('transactional')])
  const done = new Set(delivered())
  return { transactional, marketing, busyLeft: [...busy].filter((id) => !done.has(id)).length }
}
