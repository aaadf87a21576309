import type { Email, Lane } from '@postrider/domain/email/email.ts'
import { simulatorOutcome } from '@postrider/mail/simulator.ts'
import type { Transport } from '@postrider/ports/transport.ts'

/** Which transport carries which recipients of an email. */
export type Routes = (email: Email, numbers: readonly number[]) => { transport: Transport; numbers: number[] }[]

type Transports = {
  /** The operator's route, for each lane. */
  live: Record<Lane, Transport>
  /** Mail of test keys: captured or simulated, never on the network. */
  test: Transport
  /** Magic recipients, with any key. */
  simulator: Transport
}

export const routesOver =
  ({ live, test, simulator }: Transports): Routes =>
  (email, numbers) => {
    const ordinary = email.mode === 'live' ? live[email.category] : test
    const magic = numbers.filter((number) => simulatorOutcome(email.recipients[number]?.address ?? '') !== null)
    const rest = numbers.filter((number) => !magic.includes(number))
    return [
      { transport: ordinary, numbers: rest },
      { transport: simulator, numbers: magic },
    ].filter(({ numbers }) => numbers.length > 0)
  }
