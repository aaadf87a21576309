import type { EmailQuery } from '@postrider/domain/email/filter.ts'
import { prefilterTerms } from '@postrider/domain/email/filter.ts'

export type Edge = { createdAt: number; seq: number }
type Condition = [condition: string, parameters: Record<string, string | number>]

const joined = (conditions: Condition[]) => ({
  condition: conditions.map(([condition]) => condition).join(' AND '),
  parameters: Object.assign({}, ...conditions.map(([, parameters]) => parameters)) as Record<string, string | number>,
})

/** What the index by workspace and time tells. `edge`: the email that the rows to look at come after. */
export const inIndex = (query: EmailQuery, edge: Edge | null) => {
  const conditions: Condition[] = [['workspace = :workspace', { workspace: query.workspace }]]
  if (edge) conditions.push(['(created_at, seq) < (:edgeAt, :edgeSeq)', { edgeAt: edge.createdAt, edgeSeq: edge.seq }])
  if (query.createdAfter !== null) conditions.push(['created_at > :after', { after: query.createdAfter }])
  if (query.createdBefore !== null) conditions.push(['created_at < :until', { until: query.createdBefore }])
  return joined(conditions)
}

/** What a row tells before its document is parsed; an empty condition: nothing is asked. `lower` knows ASCII letters. */
export const inRow = (query: EmailQuery) => {
  const conditions: Condition[] = prefilterTerms(query).map((needle, index) => [
    `instr(lower(doc), :needle${index}) > 0`,
    { [`needle${index}`]: needle },
  ])
  if (query.mode !== null) conditions.unshift(['mode = :mode', { mode: query.mode }])
  if (query.category !== null) conditions.unshift(['lane = :lane', { lane: query.category }])
  if (query.status !== null) {
    // What is held may be in another status than the column tells: `sending`.
    conditions.unshift(['(status = :status OR lease_until > :now)', { status: query.status, now: query.now }])
  }
  return joined(conditions)
}
