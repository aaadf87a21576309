import type { Mode } from '../email/email.ts'
import { usesQuota } from '../email/sends.ts'
import type { RecipientStatus } from '../email/status.ts'
import { hourMs } from '../time.ts'

/** Outcomes of live mail: recipients by outcome. */
export type Outcomes = { delivered: number; bounced: number; complained: number }

/** Returns whether mail affects the reputation of its workspace. Test mail and system mail do not. */
export const affectsReputation = (mail: { mode: Mode; workspace: string }): boolean => usesQuota(mail)

/**
 * Returns what recipients count as after an attempt that decided about them. A recipient that complains has the
 * message.
 */
export const reputationCounts = (recipients: readonly { status: RecipientStatus }[]): Outcomes => {
  const counts = { delivered: 0, bounced: 0, complained: 0 }
  for (const { status } of recipients) {
    if (status === 'delivered' || status === 'complained') counts.delivered += 1
    if (status === 'bounced' || status === 'complained') counts[status] += 1
  }
  return counts
}

/** Returns whether anything is counted. */
export const hasOutcomes = ({ delivered, bounced, complained }: Outcomes): boolean =>
  delivered + bounced + complained > 0

/** Outcomes of one hour; `at` is its first millisecond. */
export type HourOfOutcomes = Outcomes & { at: number }

/** The first millisecond of the hour of a time. */
export const hourOf = (at: number): number => at - (at % hourMs)

/** Windows over which rates are computed, in whole hours up to now. */
export const reputationWindows = { '24h': 24 * hourMs, '30d': 30 * 24 * hourMs } as const
export type ReputationWindow = keyof typeof reputationWindows

/** Rates in percent from which a workspace is warned, and from which its reputation is critical. */
export const reputationLimits = {
  bounce: { warning: 2, critical: 5 },
  complaint: { warning: 0.1, critical: 0.5 },
} as const
export type ReputationMetric = keyof typeof reputationLimits

/** A rate is ignored with fewer deliveries or fewer bounces. */
const minOutcomes = 100
/** A level ends below this part of its limit, so a rate that varies around the limit counts as one crossing. */
const hysteresis = 0.8

const levels = ['good', 'warning', 'critical'] as const
export type Level = (typeof levels)[number]

/** The level of one rate, and the number of its rises, which identifies the last rise. */
export type RateLevel = { level: Level; rises: number }

/** Levels by metric and window, such as `bounce 24h`. An absent rate is good. */
export type Reputation = Record<string, RateLevel>

/** A rate that rose to a level. */
export type Rise = Outcomes & {
  metric: ReputationMetric
  window: ReputationWindow
  level: Exclude<Level, 'good'>
  ratePercent: number
  limitPercent: number
  /** Counts the rises of the rate. */
  number: number
}

const sumSince = (hours: readonly HourOfOutcomes[], since: number): Outcomes => {
  const sum = { delivered: 0, bounced: 0, complained: 0 }
  for (const { at, delivered, bounced, complained } of hours) {
    if (at < since) continue
    sum.delivered += delivered
    sum.bounced += bounced
    sum.complained += complained
  }
  return sum
}

const rateOf = (metric: ReputationMetric, { delivered, bounced, complained }: Outcomes): number =>
  metric === 'bounce' ? (100 * bounced) / (delivered + bounced) : (100 * complained) / Math.max(delivered, complained)

const levelOf = (metric: ReputationMetric, outcomes: Outcomes, before: Level): Level => {
  const { delivered, bounced } = outcomes
  if (delivered < minOutcomes && bounced < minOutcomes) return 'good'
  const rate = rateOf(metric, outcomes)
  const limits = reputationLimits[metric]
  const factorAt = (level: Level): number => (levels.indexOf(before) >= levels.indexOf(level) ? hysteresis : 1)
  if (rate >= limits.critical * factorAt('critical')) return 'critical'
  return rate >= limits.warning * factorAt('warning') ? 'warning' : 'good'
}

/** Returns the levels of all rates now, and those that rose. @param hours of the last 30 days */
export const assess = (
  before: Reputation,
  hours: readonly HourOfOutcomes[],
  now: number,
): { reputation: Reputation; rises: Rise[] } => {
  const reputation: Reputation = {}
  const rises: Rise[] = []
  for (const window of Object.keys(reputationWindows) as ReputationWindow[]) {
    const outcomes = sumSince(hours, hourOf(now) - reputationWindows[window])
    for (const metric of Object.keys(reputationLimits) as ReputationMetric[]) {
      const name = `${metric} ${window}`
      const last = before[name] ?? { level: 'good', rises: 0 }
      const level = levelOf(metric, outcomes, last.level)
      const isRise = levels.indexOf(level) > levels.indexOf(last.level)
      if (level === 'good' && last.rises === 0) continue
      const number = last.rises + (isRise ? 1 : 0)
      reputation[name] = { level, rises: number }
      if (!isRise || level === 'good') continue
      const ratePercent = Math.round(rateOf(metric, outcomes) * 100) / 100
      rises.push({
        ...outcomes,
        metric,
        window,
        level,
        ratePercent,
        limitPercent: reputationLimits[metric][level],
        number,
      })
    }
  }
  return { reputation, rises }
}

/** Returns whether a rate is not good. */
export const isRaised = (reputation: Reputation): boolean =>
  Object.values(reputation).some(({ level }) => level !== 'good')
