import type { Lane } from '@postrider/domain/email/email.ts'
import { until } from '../support/until.ts'

export type Tenants = {
  /** Sends an email to one recipient. @returns its id after acceptance */
  submit(tenant: 'busy' | 'other', lane: Lane): Promise<string>
  /** Starts the dispatchers. The server does not respond yet. */
  start(): Promise<void> | void
  /** Lets the server respond. */
  answer(): void
  /** Returns the ids of all delivered emails in order of delivery. */
  delivered(): readonly string[]
  /**
   * Returns how many emails were delivered before a dispatcher found mail of the other tenant in the lane; absent: 0.
   * Without rings a timer decides when a lane reads its mail, and a fast machine delivers more until then.
   */
  deliveredUntilFound?(lane: Lane): number
}

/**
 * The number of emails of the busy tenant that were delivered before the last of the other tenant, for each lane, and
 * after mail of the other tenant was found.
 */
export type Overtaken = { transactional: number; marketing: number }

const otherCount = 10
const atOnce = 32

/**
 * Measures how one tenant's backlog of marketing mail delays ten emails that another tenant sends in each lane. It
 * counts the emails that are delivered first, because a slow machine delays all emails equally. Deliveries begin after
 * all mail is accepted; otherwise the backlog could be gone before a slow client has sent its mail.
 * @param waiting ids of emails of the busy tenant that were accepted earlier, and are a part of `busyCount`
 */
export const fairTenants = async (
  { submit, start, answer, delivered, deliveredUntilFound = () => 0 }: Tenants,
  { busyCount, waiting = [] }: { busyCount: number; waiting?: Iterable<string> },
): Promise<Overtaken> => {
  const busy = new Set(waiting)
  let left = busyCount - busy.size
  const submitBusy = async () => {
    while (left-- > 0) busy.add(await submit('busy', 'marketing'))
  }
  await Promise.all(Array.from({ length: atOnce }, submitBusy))
  await start()
  const tenOf = (lane: Lane) => Promise.all(Array.from({ length: otherCount }, () => submit('other', lane)))
  const [marketing, transactional] = await Promise.all([tenOf('marketing'), tenOf('transactional')])
  answer()

  const overtaken = async (lane: Lane, ids: readonly string[]): Promise<number> => {
    const isDone = () => (ids.every((id) => delivered().includes(id)) ? true : undefined)
    await until('the other tenant has its mail delivered', isDone)
    const last = Math.max(...ids.map((id) => delivered().indexOf(id)))
    return delivered()
      .slice(deliveredUntilFound(lane), last)
      .filter((id) => busy.has(id)).length
  }
  return {
    transactional: await overtaken('transactional', transactional),
    marketing: await overtaken('marketing', marketing),
  }
}
