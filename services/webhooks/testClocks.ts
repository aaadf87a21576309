import type { TestClock } from '@postrider/domain/email/testClock.ts'
import type { PublicEvent } from '@postrider/domain/events/event.ts'
import type { Deps } from './deps.ts'

type Wanted = { endpoint: { workspace: string }; event: Pick<PublicEvent, 'mode'> }

/**
 * Returns the test clocks that were moved, of the workspaces of these events, by workspace. Live events cost no read.
 */
export const clocksOf = async (
  { clocks }: Pick<Deps, 'clocks'>,
  wanted: readonly Wanted[],
): Promise<ReadonlyMap<string, TestClock>> => {
  const tests = wanted.filter(({ event }) => event.mode === 'test')
  const workspaces = [...new Set(tests.map(({ endpoint }) => endpoint.workspace))]
  const found = await Promise.all(workspaces.map((workspace) => clocks.get(workspace)))
  return new Map(found.flatMap((clock) => (clock ? [[clock.workspace, clock] as const] : [])))
}
