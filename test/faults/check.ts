/** The journal of a client about one request. */
export type SentRequest = {
  testId: string
  recipients: readonly string[]
  /** The idempotency key, or null: a request without a key is sent once. */
  key: string | null
  /** All responses. An attempt without a response adds none. */
  answers: readonly { status: number; emailId: string | null }[]
}

/** A message that the sink accepted with 250, once for each recipient of its envelope. */
export type Copy = { testId: string; recipient: string; messageId: string }

/** An email as the API returns it at the end of a run. */
export type StoredEmail = {
  id: string
  testId: string
  recipients: readonly { address: string; status: string }[]
  attempts: readonly { possibleDuplicate: boolean }[]
}

export type Evidence = {
  requests: readonly SentRequest[]
  copies: readonly Copy[]
  emails: readonly StoredEmail[]
  /** Sends that the ledger counts, or null if they are not checked. */
  used: number | null
}

/**
 * Result of the checks; each list has one sentence per case. After a run without errors of the service, all lists
 * except `unknown` are empty.
 */
export type Verdict = {
  /** Accepted, but neither received by the sink nor in a final state that the API reports. */
  lost: string[]
  /** Received more often than attempts marked `possible_duplicate` permit. */
  duplicate: string[]
  /** Received or stored without an accepted request. */
  phantom: string[]
  /** Differences between the ledger and the emails. */
  overspend: string[]
  /** Held until a person decides. This is not an error. */
  unknown: string[]
}

/** The verdict on a run without errors and without mail in doubt. */
export const faultless: Verdict = { lost: [], duplicate: [], phantom: [], overspend: [], unknown: [] }

/** Statuses of recipients to whom the service need not have delivered. */
const reportedEnds = new Set(['bounced', 'failed', 'suppressed', 'canceled', 'unknown'])

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

type CountCopies = (testId: string, recipient: string) => number

/** Compares what clients were promised with what arrived and what is stored. */
export const check = ({ requests, copies, emails, used }: Evidence): Verdict => {
  const emailsByTest = Map.groupBy(emails, (email) => email.testId)
  const copiesByRecipient = Map.groupBy(copies, (copy) => `${copy.testId} ${copy.recipient}`)
  const countCopies: CountCopies = (testId, recipient) => copiesByRecipient.get(`${testId} ${recipient}`)?.length ?? 0
  return {
    lost: requests.flatMap((request) => lostOf(request, emailsByTest.get(request.testId) ?? [], countCopies)),
    duplicate: duplicatesIn(copiesByRecipient, emailsByTest),
    phantom: [
      ...phantomsAtSink(requests, copies),
      ...phantomsInStore(requests, emailsByTest),
      ...emails.flatMap((email) => sentAfterCancel(email, countCopies)),
    ],
    overspend: used === null ? [] : overspendOf(emails, used),
    unknown: emails.flatMap((email) =>
      email.recipients.filter((r) => r.status === 'unknown').map((r) => `${email.testId} ${r.address}`),
    ),
  }
}

const lostOf = (request: SentRequest, emails: readonly StoredEmail[], countCopies: CountCopies): string[] => {
  const { testId } = request
  const accepted = request.answers.find((answer) => answer.status === 202)
  if (accepted === undefined) return []
  const stored = emails.find((email) => email.id === accepted.emailId)
  if (stored === undefined) return [`${testId}: ${accepted.emailId} was accepted and is not stored`]
  return request.recipients.flatMap((address) => {
    const status = stored.recipients.find((r) => r.address === address)?.status ?? 'missing'
    if (reportedEnds.has(status)) return []
    if (status !== 'delivered') return [`${testId}: ${address} remains ${status}`]
    return countCopies(testId, address) > 0 ? [] : [`${testId}: ${address} is delivered but received nothing`]
  })
}

const duplicatesIn = (
  copiesByRecipient: ReadonlyMap<string, readonly Copy[]>,
  emailsByTest: ReadonlyMap<string, readonly StoredEmail[]>,
): string[] =>
  [...copiesByRecipient].flatMap(([name, copies]) => {
    const emails = emailsByTest.get(copies[0]?.testId ?? '') ?? []
    const marked = sumOf(emails.map((email) => email.attempts.filter((attempt) => attempt.possibleDuplicate).length))
    const messageIds = new Set(copies.map((copy) => copy.messageId))
    const unmarked =
      copies.length > 1 + marked ? [`${name}: ${copies.length} copies, ${marked} attempts were marked`] : []
    // A receiver can only drop the second copy if it has the Message-ID of the first.
    const renamed = messageIds.size > 1 ? [`${name}: copies with ${messageIds.size} different Message-IDs`] : []
    return [...unmarked, ...renamed]
  })

/** Returns whether mail of this request may arrive: it was accepted, or the client has no response. */
const mayArrive = ({ answers }: SentRequest): boolean =>
  answers.length === 0 || answers.some(({ status }) => status === 202 || status >= 500)

const phantomsAtSink = (requests: readonly SentRequest[], copies: readonly Copy[]): string[] => {
  const requestOf = new Map(requests.map((request) => [request.testId, request]))
  return copies.flatMap(({ testId, recipient }) => {
    const request = requestOf.get(testId)
    if (request === undefined) return [`${testId}: no client sent it, ${recipient} received it`]
    if (!request.recipients.includes(recipient)) return [`${testId}: ${recipient} was not addressed`]
    return mayArrive(request) ? [] : [`${testId}: it was refused, ${recipient} received it`]
  })
}

const sentAfterCancel = ({ testId, recipients }: StoredEmail, countCopies: CountCopies): string[] =>
  recipients.flatMap(({ address, status }) =>
    status === 'canceled' && countCopies(testId, address) > 0
      ? [`${testId}: it was canceled, ${address} received it`]
      : [],
  )

const phantomsInStore = (
  requests: readonly SentRequest[],
  emailsByTest: ReadonlyMap<string, readonly StoredEmail[]>,
): string[] => {
  const sent = new Set(requests.map(({ testId }) => testId))
  const unsent = [...emailsByTest.keys()].filter((testId) => !sent.has(testId))
  const repeated = requests.flatMap(({ testId, answers }) => {
    const ids = new Set(answers.flatMap(({ status, emailId }) => (status === 202 ? [emailId] : [])))
    const count = emailsByTest.get(testId)?.length ?? 0
    const several = ids.size > 1 ? [`${testId}: responses with ${ids.size} different ids`] : []
    return count > 1 ? [...several, `${testId}: ${count} emails for one request`] : several
  })
  return [...unsent.map((testId) => `${testId}: stored, but no client sent it`), ...repeated]
}

/** Returns the sends that the ledger should count. Canceled sends are released. */
export const expectedSends = (emails: readonly Pick<StoredEmail, 'recipients'>[]): number =>
  sumOf(emails.map(({ recipients }) => recipients.filter(({ status }) => status !== 'canceled').length))

const overspendOf = (emails: readonly StoredEmail[], used: number): string[] => {
  const expected = expectedSends(emails)
  return used === expected ? [] : [`the ledger counts ${used} sends, the emails have ${expected} recipients`]
}
