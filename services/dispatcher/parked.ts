import type { Log } from '@postrider/kit/log.ts'
import type { DispatcherMetrics } from './metrics.ts'

/** The alarm for an email that was set aside. */
export const parkedTeller =
  (log: Pick<Log, 'error'>, metrics: Pick<DispatcherMetrics, 'parked'>) =>
  (emailId: string): void => {
    metrics.parked.inc()
    log.error({ email_id: emailId }, 'email.parked: its worker died too often, a person must look')
  }
