/** What a client knows of one request, from its journal. */
export type Asked = {
  testId: string
  recipients: readonly string[]
  /** Without a key the client asks once only. */
  key: string | null
  /** Every answer it got; a request that found no answer adds none. */
  answers: readonly { status: number; emailId: string | null }[]
}

/** A message the sink answered 250 for, once for each recipient of its envelope. */
export type Taken = { testId: string; recipient: string; messageId: string }

/** An email as the API shows it when all is over. */
export type Kept = {
  id: string
  testId: string
  recipients: readonly { address: string; status: string }[]
  attempts: readonly { possibleDuplicate: boolean }[]
}

export type Evidence = {
  asked: readonly Asked[]
  taken: readonly Taken[]
  kept: readonly Kept[]
  /** Sends the ledger counts; null: not looked at. */
  used: number | null
}

/** Each list holds a sentence for every case found; a run without faults of ours has all of them empty but `unknown`. */
export type Verdict = {
  /** Accepted, and neither at the sink nor at an end that was told. */
  lost: string[]
  /** At the sink more often than attempts marked `possible_duplicate` allow. */
  duplicate: string[]
  /** At the sink or in the store without a client that was let in. */
  phantom: string[]
  /** Where the ledger and the emails disagree. */
  overspend: string[]
  /** Held for a person's decision: no fault, and to be counted. */
  unknown: string[]
}

const toldEnds = new Set(['bounced', 'failed', 'suppressed', 'canceled', 'unknown'])

const groupBy = <T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> => Map.groupBy(items, key)

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

/** Compares what clients were promised with what arrived and what is kept. Pure, so that it can be shown to fail. */
export const check = ({ asked, taken, kept, used }: Evidence): Verdict => {
  const records = groupBy(kept, (email) => email.testId)
  const copies = groupBy(taken, (one) => `${one.testId} ${one.recipient}`)
  const copiesOf = (testId: string, recipient: string) => copies.get(`${testId} ${recipient}`)?.length ?? 0
  return {
    lost: asked.flatMap((one) => lostOf(one, records.get(one.testId) ?? [], copiesOf)),
    duplicate: duplicatesIn(copies, records),
    phantom: [
      ...phantomsAtSink(asked, taken),
      ...phantomsInStore(asked, records),
      ...kept.flatMap((email) => sentAfterAll(email, copiesOf)),
    ],
    overspend: used === null ? [] : overspendOf(kept, used),
    unknown: kept.flatMap((email) =>
      email.recipients.filter((r) => r.status === 'unknown').map((r) => `${email.testId} ${r.address}`),
    ),
  }
}

const lostOf = (
  one: Asked,
  records: readonly Kept[],
  copiesOf: (testId: string, recipient: string) => number,
): string[] => {
  const promised = one.answers.find((answer) => answer.status === 202)
  if (promised === undefined) return []
  const record = records.find((email) => email.id === promised.emailId)
  if (record === undefined) return [`${one.testId}: ${promised.emailId} was promised and is not kept`]
  return one.recipients.flatMap((address) => {
    const status = record.recipients.find((r) => r.address === address)?.status ?? 'nowhere'
    if (toldEnds.has(status)) return []
    if (status !== 'delivered') return [`${one.testId}: ${address} is stuck as ${status}`]
    return copiesOf(one.testId, address) > 0 ? [] : [`${one.testId}: ${address} is called delivered and never arrived`]
  })
}

const duplicatesIn = (
  copies: ReadonlyMap<string, readonly Taken[]>,
  records: ReadonlyMap<string, readonly Kept[]>,
): string[] =>
  [...copies].flatMap(([name, all]) => {
    const emails = records.get(all[0]?.testId ?? '') ?? []
    const marked = sumOf(emails.map((email) => email.attempts.filter((attempt) => attempt.possibleDuplicate).length))
    const messageIds = new Set(all.map((one) => one.messageId))
    const unmarked = all.length > 1 + marked ? [`${name}: ${all.length} copies, ${marked} attempts were marked`] : []
    // A receiver can drop the second copy only when it carries the name of the first.
    const renamed = messageIds.size > 1 ? [`${name}: copies with ${messageIds.size} different Message-IDs`] : []
    return [...unmarked, ...renamed]
  })

/** Whether this client may find its mail at the sink: it was promised, or never told. */
const mayArrive = (one: Asked): boolean =>
  one.answers.length === 0 || one.answers.some(({ status }) => status === 202 || status >= 500)

const phantomsAtSink = (asked: readonly Asked[], taken: readonly Taken[]): string[] => {
  const clients = new Map(asked.map((one) => [one.testId, one]))
  return taken.flatMap(({ testId, recipient }) => {
    const client = clients.get(testId)
    if (client === undefined) return [`${testId}: nobody asked for it, ${recipient} got it`]
    if (!client.recipients.includes(recipient)) return [`${testId}: ${recipient} was never addressed`]
    return mayArrive(client) ? [] : [`${testId}: it was refused, ${recipient} got it`]
  })
}

const sentAfterAll = (
  { testId, recipients }: Kept,
  copiesOf: (testId: string, recipient: string) => number,
): string[] =>
  recipients.flatMap(({ address, status }) =>
    status === 'canceled' && copiesOf(testId, address) > 0 ? [`${testId}: it was canceled, ${address} got it`] : [],
  )

const phantomsInStore = (asked: readonly Asked[], records: ReadonlyMap<string, readonly Kept[]>): string[] => {
  const known = new Set(asked.map((one) => one.testId))
  const unasked = [...records.keys()].filter((testId) => !known.has(testId)).map((testId) => `${testId}: nobody asked`)
  const promises = asked.flatMap((one) => {
    const ids = new Set(one.answers.flatMap((answer) => (answer.status === 202 ? [answer.emailId] : [])))
    const count = records.get(one.testId)?.length ?? 0
    const several = ids.size > 1 ? [`${one.testId}: answered with ${ids.size} different ids`] : []
    return count > 1 ? [...several, `${one.testId}: ${count} emails for one request`] : several
  })
  return [...unasked, ...promises]
}

/** What the ledger should count: what was canceled is given back. */
export const sendsOwed = (kept: readonly Kept[]): number =>
  sumOf(kept.map(({ recipients }) => recipients.filter(({ status }) => status !== 'canceled').length))

const overspendOf = (kept: readonly Kept[], used: number): string[] => {
  const owed = sendsOwed(kept)
  return used === owed ? [] : [`the ledger counts ${used} sends, the emails have ${owed} recipients`]
}
