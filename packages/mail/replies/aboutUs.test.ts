import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { classify } from './replies.ts'
import type { SmtpPhase } from './rule.ts'

const seed = Number(process.env['POSTRIDER_REPLIES_SEED'] ?? randomInt(2 ** 31))

/** Subjects that are ours: the recipient has none of them. */
const ours = [
  ...[
    'Your account',
    'Your IP address',
    'Your domain',
    'Your server',
    'Your host',
    'Your mailbox',
    'Your user account',
  ],
  ...['Your email address', 'Your plan', 'Your subscription', 'Your license', 'Your organization', 'Your relay'],
  ...[
    'The sender',
    'Sender address',
    'Envelope sender',
    'Return path',
    'From address',
    'Reply-To address',
    'Originator',
  ],
  ...['Client IP address', 'Host 192.0.2.1', 'Address 192.0.2.1', 'Address [192.0.2.1]', 'IP address [2001:db8::1]'],
  ...[
    'HELO host',
    'SMTP user',
    'SMTP account',
    'Relay account',
    'API user',
    'API account',
    'Sub-account',
    'Login user',
  ],
  ...[
    'Trial account',
    'The tenant',
    'Customer account',
    'Authenticated user',
    'Submission user',
    'Sending account',
    'Merchant account',
    'SASL user',
    'Connecting host',
    'Sending host',
  ],
  ...['Envelope domain', 'Source host', 'Source address', 'Reverse lookup', 'rDNS', 'PTR record', 'Reply-To domain'],
  ...['From: domain', 'Source system address', 'Submitter address', 'Submitting user', 'Mail-From user'],
  ...['User account used for login', 'Address in the From field', 'User account in this session'],
  // Accounts of a hierarchy, and an account that the relay looks up.
  ...['Main account', 'Sub account', 'The master account', 'Parent account', 'Root account', 'Smarthost account'],
  ...['The account associated with this IP', 'Account for your connection', 'User linked to this API key'],
  // Addresses that servers check.
  ...['Mailbox for bounces', 'Mailbox for DSN', 'Address for delivery reports', 'Postmaster of sender.example'],
] as const

const states = [
  ...[
    'is unknown',
    'does not exist',
    'is invalid',
    'is not valid',
    'not found',
    'was not found',
    'unknown',
    'no longer exists',
  ],
  ...[
    'is disabled',
    'has been disabled',
    'is suspended',
    'is inactive',
    'is closed',
    'has been deleted',
    'was deactivated',
  ],
  ...[
    'has expired',
    'is over quota',
    'has exceeded its quota',
    'is full',
    'is not active',
    'is unavailable',
    'is blocked',
  ],
] as const

/** Header fields with an address of ours. */
const notices = ['Disposition-Notification-To address', 'Return-Receipt-To address', 'Errors-To address'] as const

/** Parts of the message. They have no quota, and what they exceed may be the recipient's. */
const parts = [
  'Attachment name',
  'Message-ID domain',
  'Message-ID host',
  'Reply-To address',
  'From: address',
  ...notices,
] as const

/** Our account and our address with a state in other languages. */
const foreignSentences = [
  ...['Ihr Konto ist deaktiviert', 'Ihr Benutzerkonto wurde gesperrt', 'Absenderadresse existiert nicht'],
  ...['Votre compte est suspendu', 'Votre boîte est désactivée', 'Expéditeur inconnu', 'Su cuenta está bloqueada'],
  ...['El remitente no existe', 'Sua conta foi desativada', 'Remetente desconhecido', 'Il suo account è disabilitato'],
  ...[
    'Mittente sconosciuto',
    'Twoje konto zostało zablokowane',
    'Adres nadawcy nie istnieje',
    'Váš účet je zablokován',
  ],
  ...['Uw account is geblokkeerd', 'Afzender onbekend', 'Ваша учётная запись отключена', 'Отправитель не найден'],
  ...['您的帐户已停用', '发信人地址不存在', 'お客様のアカウントは停止されています', '発信者のアドレスが存在しません'],
  ...['귀하의 계정이 정지되었습니다', '보낸 사람 주소가 존재하지 않습니다'],
] as const

/** Measures of recipients that do not exist: [before, after]. */
const measures = [
  ...[
    ['Ratio of', 'exceeds threshold'],
    ['Percentage of', 'is too high'],
    ['Repeated delivery attempts to', ''],
    ['Excessive share of', 'from your network'],
    ['Blocked for 3600 seconds after 20', ''],
    ['RCPT flood: 50', 'in 10 minutes'],
    ['Session closed: 7', 'in this session'],
    ['Count of', 'exceeded'],
    ['You have sent to', ''],
    ['Your server tried to deliver mail to', ''],
    ['Stop sending to', ''],
    ['Your list contains', ''],
  ],
] as const

const unknownPlurals = fc
  .tuple(
    fc.constantFrom('unknown', 'invalid', 'nonexistent', 'non-existent', 'bad', 'rejected'),
    fc.constantFrom('recipients', 'users', 'addresses', 'mailboxes'),
  )
  .map((words) => words.join(' '))

const measuredSentences = fc
  .tuple(fc.constantFrom(...measures), unknownPlurals)
  .map(([[before, after], subject]) => `${before} ${subject} ${after}`.trim())

const statesBefore = ['Unknown', 'Invalid', 'No such', 'Disabled', 'Inactive', 'Nonexistent'] as const

/** What stands around a sentence, with words of recipients. */
const heads = [
  ...['', 'Recipient address rejected: ', '<ada@receiver.example>: ', 'Mail to ada@receiver.example refused: '],
  ...[
    'Recipient <ada@receiver.example> refused. ',
    'mx1.receiver.example ',
    'RCPT TO:<ada@receiver.example>: ',
    'Error: ',
  ],
  ...[
    'Mailbox unavailable. ',
    'Requested action not taken: mailbox unavailable. ',
    'Delivery to this recipient failed: ',
  ],
] as const
const tails = [
  ...['', ' (in reply to RCPT TO command)', '; recipient ada@receiver.example', '. Recipient refused', ' [id 4f8a2c]'],
  ...[
    ', so this recipient is not accepted',
    ' (#5.1.1)',
    '. See https://receiver.example/unknown-user',
    ' for this mailbox',
  ],
] as const

const codes = [550, 551, 552, 553, 554, 556, 450, 421, 452, 501] as const
const details = [
  null,
  '0.0',
  '1.0',
  '1.1',
  '1.2',
  '1.3',
  '1.6',
  '1.10',
  '2.0',
  '2.1',
  '2.2',
  '4.1',
  '5.0',
  '7.1',
] as const

const firstSmall = (text: string): string => text.replace(/^The /, '').replace(/^./, (first) => first.toLowerCase())

const sentencesAboutUs = fc.oneof(
  fc.tuple(fc.constantFrom(...parts), fc.constantFrom(...states.slice(0, 8))).map((words) => words.join(' ')),
  fc.constantFrom(...foreignSentences),
  fc.tuple(fc.constantFrom(...ours), fc.constantFrom(...states)).map((words) => words.join(' ')),
  fc
    .tuple(fc.constantFrom(...statesBefore), fc.constantFrom(...ours))
    .map(([state, subject]) => `${state} ${firstSmall(subject)}`),
)

const sentencesAboutRecipients = fc
  .tuple(
    fc.constantFrom(
      'User',
      'Recipient',
      'Mailbox',
      'This mailbox',
      'The recipient',
      'This address',
      'Recipient address',
    ),
    fc.constantFrom('does not exist', 'unknown', 'not found', 'is disabled', 'has been deactivated', 'is inactive'),
  )
  .map((words) => words.join(' '))

/** Hints that address the sender, though the recipient is the subject. */
const hints = [
  ...[
    '',
    '. Check the address and try to send again',
    '. Please contact your administrator',
    '. Ask your mail provider',
  ],
  ...['. If you are the sender, check your address book', '. You may have mistyped the address', ' [id 4f8a2c]'],
  ...['. Please verify the recipient and send your message again', '. Your message was not delivered'],
] as const

type Reply = { code: number; enhanced: string | null; text: string }

const repliesOf = (sentences: fc.Arbitrary<string>): fc.Arbitrary<Reply> =>
  fc
    .record({
      head: fc.constantFrom(...heads),
      sentence: sentences,
      tail: fc.constantFrom(...tails),
      code: fc.constantFrom(...codes),
      detail: fc.constantFrom(...details),
      isUpper: fc.boolean(),
    })
    .map(({ head, sentence, tail, code, detail, isUpper }) => {
      const text = `${head}${sentence}${tail}`
      const enhanced = detail === null ? null : `${String(code)[0]}.${detail}`
      return { code, enhanced, text: isUpper ? text.toUpperCase() : text }
    })

const isOfRecipient = (reply: Reply, phase: SmtpPhase): boolean => {
  const { class: found } = classify(reply, phase)
  return found === 'invalid' || found === 'full'
}

const check = (property: fc.IProperty<[Reply, SmtpPhase]>): void => fc.assert(property, { seed, numRuns: 5_000 })

describe('replies about us', () => {
  before(() => {
    process.stdout.write(`    seed ${seed} (POSTRIDER_REPLIES_SEED)\n`)
  })

  // “Account inactive: upgrade your plan” and “Address 192.0.2.1 is invalid” were invalid with the code of a recipient.
  it('are never invalid or full, with any code, order and words around', () => {
    const phases = fc.constantFrom<SmtpPhase>('rcpt', 'data', 'dot')
    check(fc.property(repliesOf(sentencesAboutUs), phases, (reply, phase) => !isOfRecipient(reply, phase)))
  })

  // “Percentage of invalid recipients is too high” was invalid.
  it('are reputation if they measure recipients that do not exist, with any code', () => {
    const replies = fc
      .tuple(measuredSentences, fc.constantFrom('5.1.1', '5.1.0', '5.7.1', '5.0.0', null))
      .map(([text, enhanced]) => ({ code: 550, enhanced, text }))
    const phases = fc.constantFrom<SmtpPhase>('rcpt', 'data', 'dot')
    check(
      fc.property(replies, phases, (reply, phase) => {
        const { class: found, outcome } = classify(reply, phase)
        return found === 'reputation' && outcome === 'deferred'
      }),
    )
  })

  it('are all those before RCPT, with any words: never invalid or full, and retried', () => {
    const phases = fc.constantFrom<SmtpPhase>('greeting', 'ehlo', 'auth', 'mail')
    const sentences = fc.oneof(sentencesAboutUs, sentencesAboutRecipients)
    const isRetried = (reply: Reply, phase: SmtpPhase) => classify(reply, phase).outcome === 'deferred'
    check(
      fc.property(
        repliesOf(sentences),
        phases,
        (reply, phase) => !isOfRecipient(reply, phase) && isRetried(reply, phase),
      ),
    )
  })

  it('are not those about a recipient that only end with a hint to the sender', () => {
    const texts = fc.tuple(sentencesAboutRecipients, fc.constantFrom(...hints)).map((parts) => parts.join(''))
    const replies = fc
      .tuple(texts, fc.constantFrom('5.1.1', '5.0.0', '5.2.1', null))
      .map(([text, enhanced]) => ({ code: 550, enhanced, text }))
    const phases = fc.constantFrom<SmtpPhase>('rcpt', 'dot')
    check(fc.property(replies, phases, (reply, phase) => classify(reply, phase).class === 'invalid'))
  })
})
