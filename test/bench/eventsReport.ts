import type { EventsMeasurement, EventsPlan, EventsRound } from './eventsRound.ts'
import { cell, median, roundsText } from './report.ts'

export type EventsResult = { at: string; machine: string; command: string; plan: EventsPlan; rounds: EventsRound[] }

type Reading = (one: EventsMeasurement & { receiverCpuMsPerEvent: number }) => number

const rows: readonly [what: string, reading: Reading, digits: number][] = [
  ['events/s', (one) => one.perSecond, 0],
  ['CPU-ms per event', (one) => one.cpuMsPerEvent, 3],
  ['– of the receiver', (one) => one.receiverCpuMsPerEvent, 3],
  ['peak RSS MiB', (one) => one.peakMb, 0],
]

/** Returns the measured part about events in docs/bench.md. */
export const eventsReport = ({ at, command, machine, plan, rounds }: EventsResult): string => {
  const sides = [rounds.map(({ postrider }) => postrider), rounds.map(({ inline }) => inline)] as const
  return [
    `Measured ${at.slice(0, 10)} by \`${command}\` on ${machine}: ${roundsText(rounds)}, ` +
      `${plan.events.toLocaleString('en')} events after ${plan.warmUp.toLocaleString('en')}.`,
    '',
    '| median (lowest–highest) | Postrider | inline | ÷ inline |',
    '|---|---|---|---|',
    ...rows.map(([what, reading, digits]) => {
      const [ours, theirs] = sides.map((side) => side.map(reading))
      const ratio = median(rounds.map(({ postrider, inline }) => reading(postrider) / reading(inline)))
      return `| ${what} | ${cell(ours ?? [], digits)} | ${cell(theirs ?? [], digits)} | ${ratio.toFixed(2)} |`
    }),
    '',
  ].join('\n')
}
