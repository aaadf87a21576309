import type { Log } from '@postrider/kit/log.ts'

/** Tells once that something doesn't work, once more where the reason changes, and once that it works again. */
export const troubleTeller = (log: Pick<Log, 'warn' | 'info'>, fields: object, worse: string, better: string) => {
  /** As it was last told; empty: none. */
  let reason = ''
  return {
    tell: (thrown: unknown): void => {
      const message = thrown instanceof Error ? thrown.message : String(thrown)
      if (message !== reason) log.warn({ ...fields, err: thrown }, worse)
      reason = message
    },
    over: (): void => {
      if (reason !== '') log.info(fields, better)
      reason = ''
    },
  }
}
