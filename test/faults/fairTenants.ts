import type { Lane } from '@postrider/domain/email/email.ts'
import { until } from '../support/until.ts'

export type Tenants = {
  /** Has an email to one recipient accepted. @returns its id */
  submit(tenant: 'busy' | 'other', lane: Lane): Promise<string>
  /** Starts the dispatchers; the server answers none of their mail yet. */
  start(): Promise<void> | void
  /** Lets the server answer. */
  answer(): void
  /** Ids of all emails that were delivered, in their order. */
  delivered(): readonly string[]
}

/** How many emails of the busy tenant went before the last of the other tenant, for each lane. */
export type Overtaken = { transactional: number; marketing: number }

const otherCount = 10
const atOnce = 32

/**
 * Measures how one tenant's backlog of marketing mail delays ten emails that another sends in each lane. It counts the
 * emails that go first, because a slow machine delays all of them alike, and it lets mail leave only when all of it is
 * accepted, because a slow client would otherwise find the backlog gone.
 */
export const fairTenants = async (
  { submit, start, answer, delivered }: Tenants,
  { busyCount, deadlineMs = 60_000 }: { busyCount: number; deadlineMs?: number },
): Promise<Overtaken> => {
  const busy = new Set<string>()
  let left = busyCount
  const submitBusy = async () => {
    while (left-- > 0) busy.add(await submit('busy', 'marketing'))
  }
  await Promise.all(Array.from({ length: atOnce }, submitBusy))
  await start()
  const tenOf = (lane: Lane) => Promise.all(Array.from({ length: otherCount }, () => submit('other', lane)))
  const [marketing, transactional] = await Promise.all([tenOf('marketing'), tenOf('transactional')])
  answer()

  const overtaken = async (ids: readonly string[]): Promise<number> => {
    const isDone = () => (ids.every((id) => delivered().includes(id)) ? true : undefined)
    await until('the other tenant has its mail delivered', isDone, deadlineMs)
    const last = Math.max(...ids.map((id) => delivered().indexOf(id)))
    return delivered()
      .slice(0, last)
      .filter((id) => busy.has(id)).length
  }
  return { transactional: await overtaken(transactional), marketing: await overtaken(marketing) }
}
