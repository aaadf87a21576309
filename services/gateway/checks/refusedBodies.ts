import { maxScopes } from '@postrider/contracts/http/apiKey.ts'
import { maxWantedTypes } from '@postrider/contracts/http/webhook.ts'
import { readNetworks, readRecipients, readSenderNames } from '@postrider/domain/accounts/keyRestrictions.ts'
import {
  expiryProblems,
  keyModeProblems,
  keyNameProblems,
  maxRestrictions,
  scopeProblems,
} from '@postrider/domain/accounts/keyRules.ts'
import { workspaceProblems } from '@postrider/domain/accounts/workspaceRules.ts'
import { adjustmentProblems } from '@postrider/domain/billing/invoices.ts'
import { parseUsd } from '@postrider/domain/billing/money.ts'
import { readDomainName } from '@postrider/domain/domains/domainName.ts'
import { isEventType, unknownType } from '@postrider/domain/events/event.ts'
import { parseTime } from '@postrider/domain/time.ts'
import type { Problem } from '@postrider/kit/fault.ts'
import { textProblem } from '@postrider/mail/text.ts'
import type { RouteDeps } from '../deps.ts'

/*
 * Returns the problems that the services would find in the well-formed parts of a body that is refused already, so that
 * one response names them all. The rules are those of the services.
 */

type Raw = Record<string, unknown>

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Returns an array of texts. An array of more than `max` entries is refused for their number. */
const textsOf = (value: unknown, max: number): string[] =>
  Array.isArray(value) && value.length <= max && value.every((one) => typeof one === 'string') ? value : []

/** Returns the problems of a field if it is well-formed. */
const ifText = (value: unknown, problems: (text: string) => readonly Problem[]): readonly Problem[] => {
  const text = textOf(value)
  return text === undefined ? [] : problems(text)
}

/** Longer parts are refused for their length. */
const maxPartLength = 2 ** 20

const templateParts = ['subject', 'html_body', 'text_body'] as const

export const refusedTemplate = async (
  raw: Raw,
  { caller }: { caller: { workspace: string } },
  deps: Pick<RouteDeps, 'slices'>,
) => {
  const slices = deps.slices.of(caller.workspace)
  // The library behind it makes the start of a process longer, and few gateways need it.
  const { parseTemplateSteps } = await import('@postrider/mail/templateParse.ts')
  const problems: Problem[] = []
  for (const part of templateParts) {
    const source = textOf(raw[part]) ?? ''
    if (source === '' || source.length > maxPartLength) continue
    const parsed = await slices.run(parseTemplateSteps(source, part), true)
    if (!parsed.ok) problems.push(...parsed.problems)
  }
  return problems
}

export const refusedDomain = async (raw: Raw): Promise<Problem[]> => {
  const read = readDomainName(textOf(raw['name']) ?? 'example.com', [])
  return read.ok ? [] : [{ path: 'name', code: read.code, message: read.message }]
}

const limitsOfKey = ({ domains, networks, recipients }: Raw): Problem[] => {
  // Only accounts has the verified domains.
  const names = readSenderNames(textsOf(domains, maxRestrictions.domains), [])
  const others = [
    readNetworks(textsOf(networks, maxRestrictions.networks)),
    readRecipients(textsOf(recipients, maxRestrictions.recipients)),
  ]
  return [
    ...(names.ok ? [] : names.problems.filter(({ code }) => code !== 'domain_not_verified')),
    ...others.flatMap((read) => (read.ok ? [] : read.problems)),
  ]
}

export const refusedKey = async (
  raw: Raw,
  _request: unknown,
  { wallClock }: Pick<RouteDeps, 'wallClock'>,
): Promise<Problem[]> => {
  const { name, mode, scopes, expires_at: expiresAt } = raw
  return [
    ...(typeof name === 'string' ? keyNameProblems(name) : []),
    ...ifText(mode, keyModeProblems),
    ...scopeProblems(textsOf(scopes, maxScopes)),
    ...ifText(expiresAt, (text) => expiryProblems(parseTime(text), wallClock())),
    ...limitsOfKey(raw),
  ]
}

export const refusedWorkspace = async (raw: Raw): Promise<Problem[]> => {
  const texts = ['name', 'sender_name', 'postal_address'].flatMap((field) => {
    const text = raw[field]
    return typeof text === 'string' ? [[field, text] as const] : []
  })
  // Only accounts has the maximum retention of content.
  return workspaceProblems(Object.fromEntries(texts), { contentMs: Number.MAX_SAFE_INTEGER })
}

export const refusedAdjustment = async ({ sends, amount_usd: amount, reason }: Raw): Promise<Problem[]> =>
  adjustmentProblems({
    ...(typeof sends === 'number' && { sends }),
    ...(typeof amount === 'string' && { amountCents: parseUsd(amount) }),
    reason: typeof reason === 'string' ? reason : '-',
  })

export const refusedTestEvent = async ({ type }: Raw): Promise<readonly Problem[]> =>
  ifText(type, (text) => (isEventType(text) ? [] : [unknownType('type')]))

/** Returns the problems of a refused webhook. Only webhooks has the rules for allowed URLs. */
export const refusedWebhook = async (
  { url, events }: Raw,
  _request: unknown,
  { webhooks }: Pick<RouteDeps, 'webhooks'>,
): Promise<readonly Problem[]> => {
  const text = textOf(url)
  return webhooks.Check({
    ...(text !== undefined && textProblem(text)?.code !== 'lone_surrogate' && { url: text }),
    events: textsOf(events, maxWantedTypes),
  })
}
