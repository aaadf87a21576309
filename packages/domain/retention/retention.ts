import type { Problem } from '../problem.ts'
import { dayMs } from '../time.ts'

/**
 * Time for which the content of an email is stored: until it is final (`none`, `metadata`), or a number of days. `none`
 * removes the addresses and labels with the content; the others keep them as long as the record.
 */
export type Retention = 'none' | 'metadata' | number

/** The installation's times, in milliseconds. */
export type RetentionLimits = {
  /** Time from acceptance, or from the scheduled time, to the removal of the content. */
  contentMs: number
  /** Time from acceptance, or from the scheduled time, to the removal of the record with its events. */
  recordMs: number
  /** Time from the final status to the removal of the attachments. */
  attachmentsMs: number
}

type RetentionConfig = Readonly<
  Record<
    'POSTRIDER_RETENTION_CONTENT_DAYS' | 'POSTRIDER_RETENTION_RECORD_DAYS' | 'POSTRIDER_RETENTION_ATTACHMENT_DAYS',
    number
  >
>

/** Returns the times that the operator set. A record is stored at least as long as its content. */
export const retentionLimits = (config: RetentionConfig): RetentionLimits => ({
  contentMs: config.POSTRIDER_RETENTION_CONTENT_DAYS * dayMs,
  recordMs: Math.max(config.POSTRIDER_RETENTION_RECORD_DAYS, config.POSTRIDER_RETENTION_CONTENT_DAYS) * dayMs,
  attachmentsMs: config.POSTRIDER_RETENTION_ATTACHMENT_DAYS * dayMs,
})

export const defaultRetention: RetentionLimits = {
  contentMs: 30 * dayMs,
  recordMs: 90 * dayMs,
  attachmentsMs: 3 * dayMs,
}

/**
 * Reads a setting as it is stored: `none`, `metadata` or a whole number of days from 1.
 * @returns null: it is not one
 */
export const parseRetention = (text: string): Retention | null => {
  if (text === 'none' || text === 'metadata') return text
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : null
}

/** The problem of a value that is no setting. */
export const invalidRetention = 'Must be "none", "metadata", or a whole number of days from 1.'

/** Returns a setting as it is stored; empty: the installation's. */
export const retentionText = (retention: Retention | null): string => (retention === null ? '' : String(retention))

/** Returns the problem of a setting at `retention`. Null: the installation's. */
export const retentionProblems = (
  retention: Retention | null,
  { contentMs }: Pick<RetentionLimits, 'contentMs'>,
): Problem[] => {
  const days = contentMs / dayMs
  if (typeof retention !== 'number' || (Number.isInteger(retention) && retention >= 1 && retention <= days)) return []
  const message = `Must be "none", "metadata", or a whole number of days from 1 to ${days}, the most of this installation.`
  return [{ path: 'retention', code: 'invalid_value', message }]
}

/** Maximum number of erasures of a workspace that are not done. Requests at the same time may exceed it by a few. */
export const maxOpenErasures = 1_000

/** Returns whether a workspace may begin an erasure. @param open how many of its erasures are not done */
export const mayBeginErasure = (open: number): boolean => open < maxOpenErasures
