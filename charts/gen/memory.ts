import { Config as Dispatcher } from '@postrider/dispatcher/config.ts'
import { Config as Gateway } from '@postrider/gateway/config.ts'
import { Config as Intake } from '@postrider/intake/config.ts'
import type { z } from 'zod'

/**
 * How much memory a service needs: `baseMiB + perMiB × budget`, where the budget bounds what large bodies or messages
 * use. docs/operations/scale.md has the measurements. The chart refuses a limit below the need, and derives a budget
 * that is not set from the limit.
 */
type MemoryNeed = {
  /** MiB of a process that handles small mail only. */
  baseMiB: number
  budget?: {
    /** The variable that sets the budget, and its default. */
    variable: string
    defaultMiB: number
    /** Resident MiB for each MiB of the budget. */
    perMiB: number
    /**
     * The variable of the largest body or message, and its default. The budget must be at least `perLargest` times as
     * large.
     */
    largest: string
    largestMiB: number
    perLargest: number
  }
}

const defaultMiB = (variable: z.ZodType): number => Number(variable.parse(undefined))

const baseMiB = 160

/** A body is in memory as bytes, as text, and as the call to intake. */
const bodies = {
  variable: 'POSTRIDER_BODY_MEMORY_MIB',
  defaultMiB: defaultMiB(Gateway.shape.POSTRIDER_BODY_MEMORY_MIB),
  perMiB: 6,
  largest: 'POSTRIDER_MAX_BODY_MIB',
  largestMiB: defaultMiB(Gateway.shape.POSTRIDER_MAX_BODY_MIB),
  perLargest: 1,
}

/** Marketing mail has three eighths of the budget, so the largest message fits if the budget is 2.7 times as large. */
const messages = {
  variable: 'POSTRIDER_MESSAGE_MEMORY_MIB',
  defaultMiB: defaultMiB(Dispatcher.shape.POSTRIDER_MESSAGE_MEMORY_MIB),
  perMiB: 3,
  largest: 'POSTRIDER_MAX_MESSAGE_MIB',
  largestMiB: defaultMiB(Dispatcher.shape.POSTRIDER_MAX_MESSAGE_MIB),
  perLargest: 8 / 3,
}

/**
 * A message is in memory as bytes, as the request and as the stored record. A request may be half as long again as the
 * largest message that is accepted: `POSTRIDER_MAX_BODY_MIB`.
 */
const calls = {
  variable: 'POSTRIDER_CALL_MEMORY_MIB',
  defaultMiB: defaultMiB(Intake.shape.POSTRIDER_CALL_MEMORY_MIB),
  perMiB: 4,
  largest: 'POSTRIDER_MAX_MESSAGE_MIB',
  largestMiB: defaultMiB(Intake.shape.POSTRIDER_MAX_MESSAGE_MIB),
  perLargest: 1.5,
}

const needs: Record<string, MemoryNeed> = {
  gateway: { baseMiB, budget: bodies },
  intake: { baseMiB, budget: calls },
  dispatcher: { baseMiB, budget: messages },
}

/** Returns the memory that a service needs. */
export const memoryNeed = (service: string): MemoryNeed => needs[service] ?? { baseMiB }
