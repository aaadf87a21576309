import assert from 'node:assert/strict'
import { readReply, shownClass } from '../../../test/support/knownReplies.ts'
import { classify } from './replies.ts'

describe('replies about us', () => {
  it('reads another address or user that is unknown as no evidence about the recipient', () => {
    const others = ['IP address', 'client IP address', 'host address', 'DNS address', 'From address', 'return address']
    for (const name of [...others, 'reply address', 'source address', 'SMTP user', 'authentication user'])
      for (const line of [
        `550 Unknown ${name}`,
        `554 5.7.1 Invalid ${name} [192.0.2.1]`,
        `550 Your ${name} is unknown`,
      ])
        for (const phase of ['rcpt', 'dot'] as const) assert.doesNotMatch(shownClass(line, phase), /invalid|full/, line)
    assert.equal(shownClass('550 User unknown; your IP address is 192.0.2.1'), 'invalid!')
  })

  it('reads an address in a header, and a code 556 about our host, as no evidence about the recipient', () => {
    for (const line of [
      '501 #5.1.1 bad address in header To:',
      '550 5.1.3 Invalid address in From: header',
      '550 5.1.1 Address in the message headers is not valid',
      '556 remote ip check error.',
      '556 Sender host refused',
      '551 We do not relay for this domain',
      '551 remote host refused',
      '550 5.1.1 The From: address does not exist',
      '550 Reply-To address invalid',
      '550 API key invalid: account not found',
      '554 Relay account expired',
      '550 Your user has been suspended',
      '550 Unknown user name or bad password',
      '550 DNS record for address not found',
      '550 We do not have this address on our allow list',
      '550 Unknown user in AUTH',
      '550 Access for this user is disabled',
      '550 Message from unknown user rejected',
      '550 Your postmaster mailbox does not exist',
      '550 Subject contains invalid address',
      '550 The tenant account is disabled',
      '550 Customer account suspended for non-payment',
      '550 Trial account disabled',
      '550 User certificate invalid',
      '550 Invalid user agent',
      '550 You are not a valid user of this relay',
      '550 This account does not exist in our relay',
      '550 User database not found',
      '550 Recipient table not available',
      '550 Address book not found',
      '550 SRS address expired',
      '550 Bandwidth quota exceeded',
      '550 Quota of sender exceeded',
      '550 Storage system full',
    ])
      for (const phase of ['rcpt', 'dot'] as const) assert.doesNotMatch(shownClass(line, phase), /invalid|full/, line)
    assert.equal(shownClass('556 Domain does not accept mail'), 'invalid!')
    assert.equal(shownClass('550 Recipient address rejected: User unknown in relay recipient table'), 'invalid!')
    assert.equal(shownClass('550 User unknown, contact the postmaster'), 'invalid!')
  })

  it('does not suppress a recipient for words about our login, contact or email address', () => {
    const ours = ['Login is disabled', 'Login invalid', '5.7.1 Contact address not available', 'User has not logged in']
    for (const text of [...ours, 'Your email address does not exist', 'The from email address is unknown'])
      assert.doesNotMatch(shownClass(`550 ${text}`), /invalid|full/, text)
  })

  // These were invalid or full: they have the words, and often the codes, of recipients.
  const ours: [kind: string, expected: RegExp, texts: string[]][] = [
    [
      'our account, which an operator can correct',
      /^(?:policy|reputation|transient)$/,
      [
        'Your SMTP access has been disabled',
        'SMTP account is disabled',
        'Outbound email is disabled for this user',
        'This user has been blocked from sending email',
        'Sender is disabled',
        'Authenticated user is suspended',
        'API account is not active',
        'Submission user unknown',
        'Your subscription is inactive',
        'Account not allowed to send',
        'Your account has been compromised',
      ],
    ],
    [
      'our address',
      /^policy!?$/,
      [
        'Sender mailbox unavailable',
        'Reverse-path mailbox unavailable',
        'Your address does not exist on your server',
        'Originating address is unknown',
        'Could not verify sender: no such user',
        'We could not verify your address: no such user here',
        'Unrouteable sender address',
        'Originator not found',
        'Unable to validate return address: account disabled',
        'Your domain does not exist',
      ],
    ],
    [
      'too many unknown recipients',
      /^reputation$/,
      [
        'Too many failed recipients - count = 6',
        'Number of nonexistent recipients exceeds the limit',
        'Unknown user limit exceeded',
        'Too many unknown mailboxes',
        'High rate of unknown users from 192.0.2.1',
        'Too many 550 user unknown responses',
        'Too many recipients do not exist',
      ],
    ],
    [
      'our quotas and rates',
      /^transient$/,
      [
        'Quota exceeded: max 500 recipients per day',
        'Monthly quota exceeded',
        'Your plan quota is exceeded',
        'Mail quota exceeded for the user: 200 per day',
        'Your account has exceeded the recipient quota',
        'Quota for your IP exceeded',
        "The sender's mailbox is full",
        'Outgoing quota is full',
        'Insufficient credits',
        'Email limit reached for this month',
        'You are sending too quickly',
        'Sending frequency too high',
      ],
    ],
  ]
  for (const [kind, expected, texts] of ours)
    it(`reads ${kind} as ours, with any code`, () => {
      for (const text of texts)
        for (const phase of ['rcpt', 'dot'] as const)
          for (const enhanced of [null, '5.0.0', '5.1.0', '5.1.1', '5.2.1', '5.2.2', '5.7.1'])
            for (const words of [text, text.toUpperCase(), `mx1.receiver.example ${text} [id 4f8a2c]`]) {
              const { class: found, outcome } = classify({ code: 550, enhanced, text: words }, phase)
              assert.match(`${found}${outcome === 'bounced' ? '!' : ''}`, expected, `${phase} ${enhanced} ${words}`)
            }
    })

  it('reads a hint to the sender as no evidence against a text that names the recipient', () => {
    for (const line of [
      '550 Recipient unknown. If you are the sender, check the address',
      "550 No such user here. Contact the sender's administrator",
      '550 User unknown; please verify the address and try again',
    ])
      assert.equal(shownClass(line), 'invalid!', line)
  })

  it('retries if a reply reports that our sender is disabled', () => {
    const reply = readReply('550 5.2.1 The account news@sender.example is suspended')
    const { class: found, outcome } = classify(reply, 'rcpt', 'news@sender.example')
    assert.deepEqual([found, outcome], ['policy', 'deferred'])
  })

  it('counts a listed name in EHLO as ours, and another listed domain as a part of the message', () => {
    assert.equal(shownClass('554 5.7.1 Helo command [mx.sender.example] blocked using dbl.spamhaus.org'), 'reputation')
    assert.equal(shownClass('554 5.7.1 Sender address [a@sender.example] blocked using dbl.spamhaus.org'), 'content!')
  })

  it('counts an IP address that is blocked or listed as ours', () => {
    for (const state of ['blocked by RATS-Dyna', 'has been blocked by our staff', '] is blacklisted', 'banned'])
      assert.equal(shownClass(`550 Host 192.0.2.1 ${state}`.replace('1 ]', '1]')), 'reputation', state)
    assert.equal(shownClass('550 http://192.0.2.1 is blocked', 'dot'), 'unknown!')
  })
})
