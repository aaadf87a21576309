import assert from 'node:assert/strict'
import { roles } from '@postrider/domain/accounts/roles.ts'
import { invoiceStatuses } from '@postrider/domain/billing/invoices.ts'
import { domainStatuses } from '@postrider/domain/domains/domain.ts'
import { batchSweeps } from '@postrider/domain/email/batch.ts'
import { emailStatuses, recipientStatuses } from '@postrider/domain/email/status.ts'
import { plans } from '@postrider/domain/quota/plans.ts'
import { removals } from '@postrider/domain/retention/purge.ts'
import { deliveryStatuses } from '@postrider/domain/webhooks/delivery.ts'
import { replayStatuses } from '@postrider/domain/webhooks/replay.ts'
import { sources, sourcesOf, textOf } from './sources.ts'

/**
 * Words of the domain. Those that mean nothing else may not be in a store; the others not as the value of a field or a
 * column that has such a word.
 */
const removedParts = ['personal', 'record'] satisfies (typeof removals)[number][]
const ownWords: readonly string[] = [...Object.keys(plans), ...roles, ...removedParts]
const wordsOfFields: readonly string[] = [
  ...ownWords,
  ...removals,
  ...recipientStatuses,
  ...emailStatuses,
  ...invoiceStatuses,
  ...deliveryStatuses,
  ...replayStatuses,
  ...domainStatuses,
]

/** Words of fields and columns named `state`: the life of a batch. */
const wordsOfStates = Object.keys(batchSweeps)

/**
 * Words that stores need, as `file: word`: the stored form of an idempotency key that has its response, the last
 * success of a webhook, and scheduled mail in a page of a list.
 */
const wordsOfStores: readonly string[] = [
  'packages/adapters/mongo/idempotency.ts: done',
  'packages/adapters/mongo/webhooks/deliveryReads.ts: delivered',
  'packages/adapters/sqlite/emails/emails.ts: scheduled',
]

/**
 * Returns the words of the domain in a store, which decides nothing: rules choose the words, and a store writes them.
 */
const wordsIn = (text: string): string[] => {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
  const values = [...code.matchAll(/'(\w+)'/g)].map(([, word = '']) => word).filter((word) => ownWords.includes(word))
  const fields = code.matchAll(
    /\b(plan|remove|role|state|status|step)\s*(?::|<>|!=|(?<![=!])=(?!=)|\bIN \()\s*'(\w+)'/g,
  )
  const ofFields = [...fields]
    .filter(([, field, word = '']) => (field === 'state' ? wordsOfStates : wordsOfFields).includes(word))
    .map(([, , word = '']) => word)
  return [...new Set([...values, ...ofFields])].toSorted()
}

/** What a store may refuse by itself: it does not work, or a person must change its settings. */
const storeFaults = ['unavailable', 'forbidden']

/**
 * Where a process does not start because of its database. Its operator reads the other codes; no user of the API does.
 */
const operatorFaults = ['packages/adapters/mongo/client/', 'packages/adapters/sqlite/client/']

/**
 * Returns the codes of the Faults that a source makes. Functions of `kit` that refuse a request count by the code of
 * theirs.
 */
const faultCodesIn = (text: string): string[] => {
  const made = [...text.matchAll(/new Fault\(\s*(?:'(\w+)')?/g)].map(([, code = 'a code that is computed']) => code)
  const refusing = /import \{[^}]*\b(?:invalid|refuseAny)\b[^}]*\} from '@postrider\/kit\/fault\.ts'/.test(text)
  return refusing ? [...made, 'validation_failed'] : made
}

describe('stores', () => {
  it('stores return the reasons of refusals of users, and throw only the listed faults', () => {
    const stores = sources.filter((file) => /^packages\/adapters\/(?:mongo|sqlite|memory)\//.test(file))
    const wrong = stores.flatMap((file) =>
      faultCodesIn(textOf(file))
        .filter((code) => !storeFaults.includes(code) && !operatorFaults.some((path) => file.startsWith(path)))
        .map((code) => `${file} throws a Fault ${code}`),
    )
    assert.deepEqual(wrong, [])
  })

  // How many deaths park an email is decided by `claimOutcome`; these two search for parked mail.
  it('only the searches for parked mail among the stores use the number of deaths that parks an email', () => {
    const found = sourcesOf('packages/adapters').filter((file) => textOf(file).includes('maxDeaths'))
    assert.deepEqual(found.toSorted(), [
      'packages/adapters/mongo/emails/oldParked.ts',
      'packages/adapters/mongo/emails/parking.ts',
    ])
  })

  it('stores contain no plans, roles, steps of a removal, statuses and states of a batch', () => {
    const stores = sources.filter(
      (file) => /^packages\/adapters\/(?:mongo|sqlite|memory)\//.test(file) && !file.includes('/migrations/'),
    )
    const found = stores.flatMap((file) => wordsIn(textOf(file)).map((word) => `${file}: ${word}`))
    assert.deepEqual(found, wordsOfStores)
  })

  for (const [text, words] of [
    ["find({ plan: 'pro' })", ['pro']],
    ["{ step: 'record', from: now }", ['record']],
    ["insert.run(user, 'owner')", ['owner']],
    ["\"status <> 'scheduled' AND role = 'owner'\"", ['owner', 'scheduled']],
    ["change.remove === 'content' && row['status'] !== 'queued'", []],
    ["AND state IN ('accepted', 'completing')", ['accepted']],
    ["// plan: 'pro'", []],
    ["Pick<Email, 'status' | 'content'>", []],
  ] as const)
    it(`the search for words of the domain reads ${text}`, () => assert.deepEqual(wordsIn(text), words))

  it('the search for refusals finds each way to make one', () => {
    assert.deepEqual(faultCodesIn("throw new Fault('conflict', 'x')"), ['conflict'])
    assert.deepEqual(faultCodesIn("new Fault(\n    'not_found',\n    'x')"), ['not_found'])
    assert.deepEqual(faultCodesIn('new Fault(isA ? one : other)'), ['a code that is computed'])
    assert.deepEqual(faultCodesIn("import { Fault, invalid } from '@postrider/kit/fault.ts'"), ['validation_failed'])
    assert.deepEqual(faultCodesIn("import { Fault, isUnavailable } from '@postrider/kit/fault.ts'"), [])
  })
})
