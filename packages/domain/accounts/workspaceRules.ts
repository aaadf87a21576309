import { capRule, maxCapCents } from '../billing/money.ts'
import { unknownPolicies } from '../email/email.ts'
import type { Problem } from '../problem.ts'
import { planProblems } from '../quota/limitRules.ts'
import type { Override, PlanName } from '../quota/plans.ts'
import { type Retention, type RetentionLimits, retentionProblems } from '../retention/retention.ts'
import { isoTime } from '../time.ts'
import { maxWorkspaceNameLength, senderNameProblems, textProblems } from './textRules.ts'

/*
 * What a workspace's own people and the operator may set; workspaceLife.ts has when its mail is stopped. Paths are
 * those of the API.
 */

const maxPostalAddressLength = 500
const maxNoteLength = 2_000
const maxReasonLength = 500
const maxRate = 1_000_000

/** Users whose workspaces one search of the operator finds. */
export const maxSearchedUsers = 10_000

/** The problem of a search that finds more users, such as one for `@`. */
export const tooManySearchedUsers: Problem = {
  path: 'q',
  code: 'too_many',
  message: `More than ${maxSearchedUsers} users have this text in their addresses; search for a longer one.`,
}

type NewWorkspace = { id: string; name: string; plan: PlanName; createdAt: number }

/** Returns the record of a new workspace, in which nothing is set. */
export const newWorkspace = ({ id, name, plan, createdAt }: NewWorkspace) => ({
  id,
  name,
  plan,
  senderName: '',
  postalAddress: '',
  onUnknown: 'retry' as const,
  retention: '',
  spendingCapUsd: null,
  suspended: false,
  suspendedReason: '',
  deletesAt: null,
  resumesOnRestore: false,
  note: '',
  rate: null,
  burst: null,
  requireTotp: false,
  createdAt,
})

/** Whole cents: `0.1 + 0.2` is not an amount of money. */
const isAmount = (usd: number): boolean =>
  usd >= 0 && usd * 100 <= maxCapCents && Math.abs(usd * 100 - Math.round(usd * 100)) < 1e-6

const invalidUnless = (fits: boolean, path: string, message: string): Problem[] =>
  fits ? [] : [{ path, code: 'invalid_value', message }]

export type WorkspaceSettings = {
  name?: string
  sender_name?: string
  postal_address?: string
  on_unknown?: string
  /** Null: the service's default. */
  retention?: Retention | null
  spending_cap_usd?: number
}

/** Returns the problems of settings that a workspace's own people change; a field that is absent stays as it is. */
export const workspaceProblems = (
  settings: WorkspaceSettings,
  limits: Pick<RetentionLimits, 'contentMs'>,
): Problem[] => {
  const { name, sender_name, postal_address, on_unknown, retention, spending_cap_usd } = settings
  const address = { max: maxPostalAddressLength, optional: true, lines: true }
  return [
    ...(name === undefined ? [] : textProblems('name', name, { max: maxWorkspaceNameLength })),
    ...(sender_name === undefined ? [] : senderNameProblems('sender_name', sender_name)),
    ...(postal_address === undefined ? [] : textProblems('postal_address', postal_address, address)),
    ...invalidUnless(
      on_unknown === undefined || (unknownPolicies as readonly string[]).includes(on_unknown),
      'on_unknown',
      'Must be "retry" or "hold".',
    ),
    ...(retention === undefined ? [] : retentionProblems(retention, limits)),
    ...invalidUnless(spending_cap_usd === undefined || isAmount(spending_cap_usd), 'spending_cap_usd', capRule),
  ]
}

/** Maximum number of decimals of a rate. */
const rateDecimals = 6

const isOverride = (value: Override, kind: 'rate' | 'burst'): boolean =>
  typeof value !== 'number' ||
  (value > 0 && value <= maxRate && Number(value.toFixed(kind === 'rate' ? rateDecimals : 0)) === value)

const overrideProblems = (kind: 'rate' | 'burst', override: Override = 'plan'): Problem[] =>
  invalidUnless(
    isOverride(override, kind),
    `limits.${kind}`,
    kind === 'burst'
      ? `Must be "plan", null or a whole number from 1 to ${maxRate}.`
      : `Must be "plan", null or a number above 0 and up to ${maxRate}, with at most ${rateDecimals} decimals.`,
  )

/**
 * Returns the problems of the operator's reason for stopping something.
 * @param applies whether it is stopped
 * @param field the field that stops it
 */
export const reasonProblems = (reason: string, applies: boolean, field: string): Problem[] => [
  ...textProblems('reason', reason, { max: maxReasonLength, optional: true }),
  ...invalidUnless(applies || reason === '', 'reason', `A reason needs \`${field}\`: true; set both, or omit it.`),
]

/** Returns whether the operator has stopped the mail of a workspace. A scheduled deletion stops it too. */
export const isStoppedByOperator = ({
  suspended,
  resumesOnRestore,
}: Record<'suspended' | 'resumesOnRestore', boolean>): boolean => suspended && !resumesOnRestore

/** Returns the sentence that a workspace gets whose mail is stopped. Null: no reason, or no deletion is scheduled. */
export const suspensionText = ({ reason, deletesAt }: { reason: string | null; deletesAt: number | null }): string => {
  if (deletesAt !== null) return `Sending is suspended: this workspace will be deleted at ${isoTime(deletesAt)}.`
  return reason === null
    ? 'Sending is suspended for this workspace.'
    : `Sending is suspended for this workspace: ${reason}`
}

/** Returns the problems of what the operator sets for a workspace. */
export const controlsProblems = ({
  note,
  rate,
  burst,
  plan,
}: {
  note?: string
  rate?: Override
  burst?: Override
  plan?: string
}): Problem[] => [
  ...planProblems(plan),
  ...(note === undefined ? [] : textProblems('note', note, { max: maxNoteLength, optional: true, lines: true })),
  ...overrideProblems('rate', rate),
  ...overrideProblems('burst', burst),
]
