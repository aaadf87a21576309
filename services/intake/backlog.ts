import type { EmailStore } from '@postrider/ports/emails.ts'
import type { IntakeMetrics } from './metrics.ts'

type Backlog = Awaited<ReturnType<EmailStore['backlog']>>

/** Shows the backlog and the last run of each chore as metrics. `full` tells whether more than `bound` emails wait. */
export const backlogWatch = (metrics: IntakeMetrics, bound: number) => {
  let waiting = 0
  return {
    watch: (backlog: Backlog, at: number): void => {
      waiting = backlog.reduce((sum, lane) => sum + lane.waiting, 0)
      for (const { lane, waiting, due, oldestDueAt } of backlog) {
        metrics.queueDepth.set({ lane }, waiting)
        metrics.queueDue.set({ lane }, due)
        metrics.queueOldest.set({ lane }, oldestDueAt === null ? 0 : Math.max(at - oldestDueAt, 0) / 1_000)
      }
    },
    swept: (chore: string, at: number): void => metrics.sweptAt.set({ chore }, at / 1_000),
    full: (): boolean => waiting >= bound,
  }
}
