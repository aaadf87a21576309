import type { Lane } from '@postrider/domain/email/email.ts'
import type { LaneSize } from './dispatcher.ts'

const mebibyte = 2 ** 20

/** 64 MiB of messages in all, and marketing can fill its own part alone. */
const bytes: Record<Lane, number> = { transactional: 40 * mebibyte, marketing: 24 * mebibyte }

/** @param concurrency emails of one workspace in work at once; an eighth more is for others */
export const laneSizes = (concurrency: Record<Lane, number>): Record<Lane, LaneSize> => ({
  transactional: { concurrency: concurrency.transactional, bytes: bytes.transactional },
  marketing: { concurrency: concurrency.marketing, bytes: bytes.marketing },
})
