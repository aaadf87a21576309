import assert from 'node:assert/strict'
import { assertCpuBelow } from '../../test/support/cost.ts'
import { knownReplies } from '../../test/support/knownReplies.ts'
import { classify, isAboutRecipient, replyRules } from './replies.ts'
import { type SmtpPhase, smtpPhases } from './repliesRule.ts'

/** A reply as a server sends it, and its class; `!`: it is final. */
const cases: [line: string, expected: string][] = [
  // No such mailbox.
  [
    '550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient’s email address for typos - gsmtp',
    'invalid!',
  ],
  ['550 5.2.1 The email account that you tried to reach is disabled - gsmtp', 'invalid!'],
  ['550 5.2.1 The email account that you tried to reach is inactive - gsmtp', 'invalid!'],
  ['553 5.1.2 We weren’t able to find the recipient domain - gsmtp', 'invalid!'],
  ['553 5.1.3 The recipient address <x> is not a valid RFC-5321 address - gsmtp', 'invalid!'],
  ['550 5.1.1 <jane@example.com>: Recipient address rejected: User unknown in virtual mailbox table', 'invalid!'],
  ['550 5.1.1 <jane@example.com>: Recipient address rejected: User unknown in local recipient table', 'invalid!'],
  ['550 5.1.0 <jane@example.com>: Recipient address rejected', 'invalid!'],
  [
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient jane@example.com not found by SMTP address lookup',
    'invalid!',
  ],
  [
    '550 5.4.1 Recipient address rejected: Access denied. [AM0EUR02FT045.eop-EUR02.prod.protection.outlook.com]',
    'invalid!',
  ],
  ['550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)', 'invalid!'],
  ['554 delivery error: dd This user doesn’t have a yahoo.com account (jane@yahoo.com) [0]', 'invalid!'],
  ['552 1 Requested mail action aborted, mailbox not found', 'invalid!'],
  ['554 30 Sorry, your message to jane@yahoo.com cannot be delivered. This mailbox is disabled (554.30).', 'invalid!'],
  ['550 5.1.1 Not our Customer', 'invalid!'],
  ['550 Requested action not taken: mailbox unavailable', 'invalid!'],
  ['550 No such user here', 'invalid!'],
  ['550 Unknown user', 'invalid!'],
  ['550 unrouteable address', 'invalid!'],
  ['550 Invalid Recipient', 'invalid!'],
  ['550 sorry, no mailbox here by that name (#5.1.1)', 'invalid!'],
  ['550 #5.1.0 Address rejected.', 'invalid!'],
  ['550 5.1.6 Mailbox has moved', 'invalid!'],
  ['551 User not local; please try <jane@example.org>', 'invalid!'],
  ['556 5.1.10 Domain does not accept mail', 'invalid!'],
  ['550 5.7.17 Mailbox owner has changed', 'invalid!'],
  ['550 5.1.1 jane@example.com: mailbox has been suspended', 'invalid!'],
  // The same with a temporary code.
  [
    '450 4.1.1 <jane@example.com>: Recipient address rejected: unverified address: Address verification in progress',
    'transient',
  ],
  [
    '450 4.2.1 The user you are trying to contact is receiving mail too quickly. Please resend your message at a later time - gsmtp',
    'transient',
  ],
  [
    '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered - gsmtp',
    'transient',
  ],
  ['450 4.2.1 mailbox temporarily disabled', 'transient'],
  ['550 5.4.5 Daily SMTP relay sending limit exceeded - gsmtp', 'transient'],
  // The mailbox is full.
  ['452 4.2.2 The email account that you tried to reach is over quota - gsmtp', 'full'],
  ['552 5.2.2 The email account that you tried to reach is over quota - gsmtp', 'full'],
  ['552 5.2.2 <jane@example.com>: user is over quota', 'full'],
  ['554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException', 'full'],
  ['550 Mailbox is full / Blocks limit exceeded / Inode limit exceeded', 'full'],
  ['552 Requested mail action aborted: exceeded storage allocation', 'full'],
  ['452 4.1.1 requested action aborted: recipient’s mailbox is full', 'full'],
  ['550 5.7.1 Recipient’s mailbox is full, try again later', 'full'],
  // The message is too big.
  ['552 5.3.4 Message size exceeds fixed limit', 'content!'],
  ['552 5.3.4 Your message exceeded Google’s message size limits - gsmtp', 'content!'],
  ['552 message too large', 'content!'],
  ['550 5.2.3 RESOLVER.RST.RecipSizeLimit; message too large for this recipient', 'content!'],
  // The content.
  ['552 5.7.0 This message was blocked because its content presents a potential security issue - gsmtp', 'content!'],
  [
    '550 5.7.1 Our system has detected that this message is likely unsolicited mail. To reduce the amount of spam sent to Gmail, this message has been blocked - gsmtp',
    'content!',
  ],
  ['554 5.7.1 Spam message rejected', 'content!'],
  ['550 This message scored 17.2 spam points.', 'content!'],
  ['554 5.7.0 Reject, id=08432-19 - spam', 'content!'],
  ['554 5.7.1 Gtube pattern', 'content!'],
  ['552 5.7.0 virus Eicar-Test-Signature detected by ClamAV', 'content!'],
  ['554 5.7.1 Service unavailable; Client host [mail.example.com] blocked using multi.uribl.com', 'content!'],
  ['554 5.7.1 Service unavailable; Sender address [a@example.com] blocked using dbl.spamhaus.org', 'content!'],
  ['554 5.6.0 Corrupt message content', 'content!'],
  ['550 5.6.7 SMTPUTF8 required', 'content!'],
  ['554 5.7.1 The file report.exe is not allowed', 'content!'],
  // The sending host.
  [
    '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org; https://www.spamhaus.org/query/ip/192.0.2.1',
    'reputation',
  ],
  [
    '550 5.7.1 Service unavailable, Client host [192.0.2.1] blocked using Spamhaus. To request removal from this list see (AS16012611)',
    'reputation',
  ],
  [
    '550 5.7.606 Access denied, banned sending IP [192.0.2.1]. To request removal from this list please visit https://sender.office.com/',
    'reputation',
  ],
  [
    '550 5.7.1 Unfortunately, messages from [192.0.2.1] weren’t sent. Please contact your Internet service provider since part of their network is on our block list (S3150).',
    'reputation',
  ],
  ['550 SC-001 (SNT004-MC4F53) Unfortunately, messages from 192.0.2.1 weren’t sent.', 'reputation'],
  ['550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP', 'reputation'],
  ['451 4.7.650 The mail server [192.0.2.1] has been temporarily rate limited due to IP reputation.', 'reputation'],
  [
    '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1',
    'reputation',
  ],
  [
    '553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.1, because the ip is in Spamhaus’s list',
    'reputation',
  ],
  [
    '421 4.7.28 Our system has detected an unusual rate of unsolicited mail originating from your IP address - gsmtp',
    'reputation',
  ],
  [
    '554-gmx.net (mxgmx115) Nemesis ESMTP Service not available No SMTP service IP address is block listed.',
    'reputation',
  ],
  [
    '554 IP=192.0.2.1 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.t-online.de to clarify.) (BL)',
    'reputation',
  ],
  ['421 4.1.0 192.0.2.1 Throttled - try again later. RL000003', 'reputation'],
  ['554 5.7.1 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.1', 'reputation'],
  [
    '554-mx.example.com Your access to this mail system has been rejected due to the sending MTA’s poor reputation.',
    'reputation',
  ],
  ['550 5.7.1 Rejected: 192.0.2.1 listed at bl.spamcop.net', 'reputation'],
  // Authentication and policy.
  [
    '550 5.7.26 This mail has been blocked because the sender is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM - gsmtp',
    'policy!',
  ],
  ['550 5.7.26 Unauthenticated email from example.com is not accepted due to domain’s DMARC policy - gsmtp', 'policy!'],
  ['421 4.7.26 This mail has been rate limited because it is unauthenticated - gsmtp', 'policy'],
  ['550 5.7.515 Access denied, sending domain EXAMPLE.COM does not meet the required authentication level.', 'policy!'],
  ['550 5.7.23 SPF validation failed', 'policy!'],
  ['550 5.7.25 Client host rejected: cannot find your reverse hostname, [192.0.2.1]', 'policy!'],
  ['554 5.7.1 <jane@example.com>: Relay access denied', 'policy!'],
  ['550 relay not permitted', 'policy!'],
  ['553 sorry, that domain isn’t in my list of allowed rcpthosts (#5.7.1)', 'policy!'],
  ['554 Message rejected: Email address is not verified. The following identities failed the check', 'policy!'],
  ['550 5.1.8 <a@nowhere.example>: Sender address rejected: Domain not found', 'policy!'],
  ['450 4.1.8 <a@nowhere.example>: Sender address rejected: Domain not found', 'policy'],
  ['550 Sender verify failed', 'policy!'],
  ['554 5.7.9 Message not accepted for policy reasons. See https://senders.yahooinc.com/error-codes', 'policy!'],
  [
    '554 5.7.1 [HM08] Message rejected due to local policy. Please visit https://support.apple.com/en-us/HT204137',
    'policy!',
  ],
  ['550 Administrative prohibition - envelope blocked', 'policy!'],
  ['550 5.7.1 This message violates example.com email policy. - gcdp - gsmtp', 'policy!'],
  ['550 5.7.124 Sender not in allowed-senders list', 'policy!'],
  ['550 5.7.1 Blacklisted by recipient', 'policy!'],
  ['550 5.7.27 Sender address has null MX', 'policy!'],
  ['521 5.3.2 Host does not accept mail', 'policy!'],
  // Between Postrider and the mail route: an operator can correct it.
  ['530 5.7.0 Must issue a STARTTLS command first', 'policy'],
  ['530 5.7.0 Authentication Required', 'policy'],
  ['535 5.7.8 Authentication credentials invalid', 'policy'],
  ['454 4.7.0 TLS not available due to local problem', 'policy'],
  // Temporary.
  ['450 4.2.0 <jane@example.com>: Recipient address rejected: Greylisted', 'transient'],
  ['550 5.7.1 Greylisted, please come back later', 'transient'],
  ['451 4.7.1 Greylisting in action, please come back in 00:05:00', 'transient'],
  ['421 4.3.2 Service shutting down', 'transient'],
  ['421 4.4.2 mail.example.com Error: timeout exceeded', 'transient'],
  ['421 Service not available, closing transmission channel', 'transient'],
  ['451 4.3.0 Error: queue file write error', 'transient'],
  ['451 Requested action aborted: local error in processing', 'transient'],
  ['452 4.3.1 Insufficient system storage', 'transient'],
  ['552 5.3.1 Mail system full', 'transient'],
  ['452 4.5.3 Error: too many recipients', 'transient'],
  ['552 Too many recipients', 'transient'],
  ['550 5.5.3 Error: too many recipients', 'transient'],
  ['454 Throttling failure: Maximum sending rate exceeded.', 'transient'],
  ['554 5.4.2 Bad connection', 'transient'],
  ['451 Temporary local problem - please try later', 'transient'],
  ['554 Transaction failed, please try again later', 'transient'],
  ['450 Requested mail action not taken', 'transient'],
  // Nothing in the text.
  ['554 Transaction failed', 'unknown!'],
  ['550 Requested action not taken', 'unknown!'],
  ['503 5.5.1 Bad sequence of commands', 'unknown!'],
  ['500 5.5.2 Syntax error, command unrecognized', 'unknown!'],
  ['554 5.4.6 Too many hops', 'unknown!'],
  ['550', 'unknown!'],
  ['354 Start mail input', 'transient'],
  ['000', 'transient'],
  // Accepted.
  ['250 2.0.0 OK 1700000000 queued', 'delivered'],
  ['250 Ok', 'delivered'],
  ['251 User not local; will forward to <jane@example.org>', 'delivered'],
  ['252 Cannot VRFY user, but will accept message', 'delivered'],
]

const read = (line: string) => {
  const parts = /^(\d{3})[ -]?(?:(\d\.\d{1,3}\.\d{1,3})(?: |$))?(.*)$/.exec(line)
  const [, code = '', enhanced = null, text = ''] = parts ?? []
  const fits = enhanced !== null && enhanced[0] === code[0]
  return { code: Number(code), enhanced: fits ? enhanced : null, text: fits ? text : line.slice(4) }
}

const shown = (line: string, phase?: SmtpPhase): string => {
  const { class: replyClass, outcome } = classify(read(line), phase)
  return outcome === 'delivered' ? outcome : `${replyClass}${outcome === 'bounced' ? '!' : ''}`
}

describe('corpus of replies', () => {
  it('has at least 4,100 replies, each in one line with a phase and a source', () => {
    assert.ok(knownReplies.length >= 4_100, String(knownReplies.length))
    for (const { phase, source, line } of knownReplies)
      assert.ok(smtpPhases.includes(phase) && source.length > 5 && /^[2-5]\d\d /.test(line), line)
  })

  for (const provider of new Set(knownReplies.map((known) => known.provider)))
    it(`is classified as documented: ${provider}`, () => {
      const known = knownReplies.filter((one) => one.provider === provider)
      assert.deepEqual(
        known.map(({ phase, line }) => `${phase} ${shown(line, phase)} ${line}`),
        known.map(({ phase, expected, line }) => `${phase} ${expected} ${line}`),
      )
    })
})

describe('phases of replies', () => {
  const aboutUs = ['greeting', 'ehlo', 'auth', 'mail'] as const

  it('never makes a reply to the greeting, EHLO, AUTH or MAIL invalid or full', () => {
    for (const { line } of knownReplies)
      for (const phase of aboutUs) assert.doesNotMatch(shown(line, phase), /invalid|full/, `${phase} ${line}`)
  })

  it('makes a reply before RCPT final only if MAIL refuses the message itself', () => {
    for (const { line } of knownReplies)
      for (const phase of aboutUs) {
        const found = shown(line, phase)
        assert.ok(!found.endsWith('!') || (phase === 'mail' && found === 'content!'), `${phase} ${found} ${line}`)
      }
  })

  it('reads a refusal of our sender as policy where the same words at RCPT mean the recipient', () => {
    const line = '550 5.1.1 <ada@sender.example>: User unknown'
    assert.equal(shown(line, 'mail'), 'policy')
    assert.equal(shown(line, 'rcpt'), 'invalid!')
    assert.equal(classify(read(line), 'rcpt', 'Ada@Sender.example').class, 'policy')
  })

  it('reads a general text as no evidence about a recipient that RCPT accepted', () => {
    assert.equal(shown('550 Requested action not taken: mailbox unavailable', 'rcpt'), 'invalid!')
    assert.equal(shown('550 Requested action not taken: mailbox unavailable', 'dot'), 'unknown!')
  })
})

describe('evidence in replies', () => {
  it('reads X.7.20 to X.7.29 as authentication with any words, except a flood', () => {
    const texts = ['User unknown', 'mailbox full', 'blocked using zen.spamhaus.org', 'spam', 'too many connections', '']
    for (const text of [...texts, ...knownReplies.map(({ line }) => read(line).text)])
      for (let detail = 20; detail < 30; detail++)
        for (const code of [421, 550]) {
          const reply = { code, enhanced: `${code === 421 ? 4 : 5}.7.${detail}`, text }
          assert.equal(classify(reply, 'dot').class, detail === 28 ? 'reputation' : 'policy', JSON.stringify(reply))
        }
  })

  it('ignores the words of addresses, links and host names', () => {
    const names = [
      'spam',
      'policy',
      'blacklist',
      'greylist',
      'quota.exceeded',
      'too.many.connections',
      'virus',
      'sender',
    ]
    for (const name of names) {
      const address = `${name}@${name}.example`
      assert.equal(shown(`550 5.1.1 <${address}>: Recipient address rejected: User unknown`), 'invalid!', name)
      assert.equal(shown(`550 5.1.1 ${address} does not exist, see https://${name}.example/${name}`), 'invalid!', name)
      assert.equal(shown(`550 ${name}.example: no such user ${address}`), 'invalid!', name)
      assert.equal(shown(`552 5.2.2 <${address}> mailbox full`), 'full', name)
    }
  })

  it('reads another address or user that is unknown as no evidence about the recipient', () => {
    const others = ['IP address', 'client IP address', 'host address', 'DNS address', 'From address', 'return address']
    for (const name of [...others, 'reply address', 'source address', 'SMTP user', 'authentication user'])
      for (const line of [
        `550 Unknown ${name}`,
        `554 5.7.1 Invalid ${name} [192.0.2.1]`,
        `550 Your ${name} is unknown`,
      ])
        for (const phase of ['rcpt', 'dot'] as const) assert.doesNotMatch(shown(line, phase), /invalid|full/, line)
    assert.equal(shown('550 User unknown; your IP address is 192.0.2.1'), 'invalid!')
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
      for (const phase of ['rcpt', 'dot'] as const) assert.doesNotMatch(shown(line, phase), /invalid|full/, line)
    assert.equal(shown('556 Domain does not accept mail'), 'invalid!')
    assert.equal(shown('550 Recipient address rejected: User unknown in relay recipient table'), 'invalid!')
    assert.equal(shown('550 User unknown, contact the postmaster'), 'invalid!')
  })

  it('reads “e-mail” as “email”', () => {
    for (const line of ['550 No such e-mail address', '554 Too many e-mails, wait an hour', '552 E-mail is too large'])
      assert.equal(shown(line), shown(line.replace(/e-mail/i, 'email')), line)
    assert.equal(shown('554 Too many e-mails, wait an hour'), 'transient')
  })

  it('reads “mail box” and “mail-box” as “mailbox”', () => {
    for (const name of ['mailbox', 'mail box', 'mail-box', 'Mail-Box'])
      assert.equal(shown(`550 ${name} not found`), 'invalid!', name)
  })

  it('does not suppress a recipient for words about our login, contact or email address', () => {
    const ours = ['Login is disabled', 'Login invalid', '5.7.1 Contact address not available', 'User has not logged in']
    for (const text of [...ours, 'Your email address does not exist', 'The from email address is unknown'])
      assert.doesNotMatch(shown(`550 ${text}`), /invalid|full/, text)
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
      assert.equal(shown(line), 'invalid!', line)
  })

  it('retries if a reply reports that our sender is disabled', () => {
    const reply = read('550 5.2.1 The account news@sender.example is suspended')
    const { class: found, outcome } = classify(reply, 'rcpt', 'news@sender.example')
    assert.deepEqual([found, outcome], ['policy', 'deferred'])
  })

  it('reads X.2.1 about the message as no evidence about the mailbox', () => {
    assert.equal(shown('521 5.2.1 : AOL will not accept delivery of this message.', 'dot'), 'policy!')
    assert.equal(shown('550 5.2.1 Over'), 'invalid!')
  })

  it('reads a server without space as the system, not as a full mailbox', () => {
    for (const line of ['452 Out of disk space', '452 spool disk too full', '554 Mail system storage is full'])
      assert.equal(shown(line), 'transient', line)
    assert.equal(shown('552 Mailbox storage is full'), 'full')
  })

  it('reads texts the same with a host name before them and a note after them', () => {
    for (const { phase, line } of knownReplies) {
      const reply = read(line)
      if (/^4\.\d/.test(reply.text)) continue
      for (const text of [
        `mx1.receiver.example ${reply.text}`,
        `${reply.text} See https://support.receiver.example/bounces?code=17`,
        `${reply.text} (in reply to RCPT TO command)`,
        `<ada@receiver.example>: ${reply.text}`,
      ]) {
        const { class: found } = classify({ ...reply, text }, phase)
        if (found === 'invalid') assert.match(shown(line, phase), /^invalid/, text)
      }
    }
    assert.equal(shown('550 authentication required (in reply to RCPT TO command)'), 'policy')
    assert.equal(shown('421 4.7.0 mx.example Error: too many errors [4f8a2c]'), 'transient')
    assert.equal(shown('550 <ada@receiver.example> not used [4f8a2c]'), 'invalid!')
    const text = 'low reputation of the sending domain this message has been blocked'
    assert.equal(shown(`550 5.7.1 Due to the ${text}`, 'dot'), 'reputation')
  })

  it('reads sentences that have no space after the period', () => {
    assert.equal(shown('550 Delivery error.Mailbox of jane is FULL'), 'full')
  })

  it('counts a listed name in EHLO as ours, and another listed domain as a part of the message', () => {
    assert.equal(shown('554 5.7.1 Helo command [mx.sender.example] blocked using dbl.spamhaus.org'), 'reputation')
    assert.equal(shown('554 5.7.1 Sender address [a@sender.example] blocked using dbl.spamhaus.org'), 'content!')
  })

  it('counts an IP address that is blocked or listed as ours', () => {
    for (const state of ['blocked by RATS-Dyna', 'has been blocked by our staff', '] is blacklisted', 'banned'])
      assert.equal(shown(`550 Host 192.0.2.1 ${state}`.replace('1 ]', '1]')), 'reputation', state)
    assert.equal(shown('550 http://192.0.2.1 is blocked', 'dot'), 'unknown!')
  })

  it('reads the names of exceptions, which look like host names', () => {
    const stored = 'STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded; failed'
    assert.equal(shown(`554 5.2.0 ${stored}`, 'dot'), 'full')
    assert.equal(shown('550 5.1.0 RESOLVER.ADR.ExRecipNotFound; not found'), 'invalid!')
  })

  it('reads other languages, with and without accents', () => {
    const cases: [text: string, expected: string][] = [
      ['Boîte aux lettres inexistante', 'invalid!'],
      ['Boite aux lettres inexistante', 'invalid!'],
      ['Użytkownik nie istnieje', 'invalid!'],
      ['ПОЛЬЗОВАТЕЛЬ НЕ НАЙДЕН', 'invalid!'],
      ['ユーザーが存在しません', 'invalid!'],
      ['존재하지 않는 사용자', 'invalid!'],
      ['El buzón está lleno', 'full'],
      ['邮箱已满', 'full'],
      ['Zu viele Verbindungen', 'transient'],
      ['Seu IP está na lista negra', 'reputation'],
      ['Mittente rifiutato', 'policy!'],
      ['内容被拒绝', 'content!'],
      ['La boîte de votre correspondant est pleine', 'full'],
      ['Casella di posta inesistente', 'invalid!'],
      // A part of a word in another language, here “pien” in “recipient”, is no evidence.
      ['No mailbox available for this recipient', 'invalid!'],
      // Our account is not the recipient's.
      ['Votre compte désactivé', 'unknown!'],
      ['Ваш почтовый ящик отключен', 'unknown!'],
      ['您的账号不存在', 'unknown!'],
    ]
    for (const [text, expected] of cases) assert.equal(shown(`550 ${text}`), expected, text)
    for (const [text] of cases) assert.doesNotMatch(shown(`450 ${text}`), /invalid|!/, text)
  })

  it('retries a permanent code with an enhanced code of class 4, and never makes it invalid', () => {
    for (const { line } of knownReplies) {
      const { class: found, outcome } = classify({ code: 550, enhanced: null, text: `4.1.1 ${read(line).text}` })
      assert.equal(outcome, 'deferred', line)
      assert.notEqual(found, 'invalid', line)
    }
  })

  it('marks a text that no rule knows', () => {
    assert.equal(classify(read('550 5.7.1 Computer says no')).isKnown, false)
    assert.equal(classify(read('450 Computer says perhaps')).isKnown, false)
    assert.equal(classify(read('554 Computer says no'), 'greeting').isKnown, false)
    assert.equal(classify(read('550 5.1.1 User unknown')).isKnown, true)
    assert.equal(classify(read('250 OK')).isKnown, true)
  })
})

describe('isAboutRecipient', () => {
  const to = ['ada@receiver.example', 'bob@receiver.example']
  const cases: [line: string, expected: boolean][] = [
    ['550 5.1.1 User unknown', true],
    ['450 4.1.1 User unknown', true],
    ['552 5.2.2 Mailbox full', true],
    ['452 4.2.2 Mailbox full', true],
    ['554 5.7.1 <ADA@receiver.example>: rejected as spam', true],
    ['451 bob@receiver.example: try again later', true],
    ['554 5.7.1 Spam message rejected', false],
    ['552 5.3.4 Message too big', false],
    ['550 5.7.26 Unauthenticated mail', false],
    ['554 5.7.1 Client host blocked using zen.spamhaus.org', false],
    ['451 4.3.0 Queue file write error', false],
    ['550 5.1.8 Sender address rejected: User unknown', false],
    ['550 5.7.1 Client host rejected: too many recipients this hour', false],
    ['550 5.2.0 Message rejected due to DMARC', false],
    ['552 5.3.4 Your message exceeded the size limits', false],
    ['554 5.7.1 Rejected. Please contact the recipient by other means', false],
    // Evidence of a mailbox, though too little for a class.
    ['550 Requested action not taken: mailbox unavailable', true],
    ['550 Requested action not taken: mailbox unavailable. Reject due to policy restrictions', false],
    // Others may still want this message.
    ['550 5.1.1 RCP-P2 Refused due to recipient preferences', true],
    ['550 5.7.1 Blacklisted by recipient', true],
    ['550 5.7.124 Sender not in allowed-senders list', true],
    ['550 5.2.3 RESOLVER.RST.RecipSizeLimit; message too large for this recipient', true],
    ['552 5.2.3 Over the limit', true],
    ['554 5.2.122 The recipient has exceeded their limit for the number of messages they can receive per hour', true],
    ['550 permanent failure for one or more recipients', true],
    ['550 5.7.1 At least one of the recipients does not want this mail', true],
    // About how many recipients a transaction has: alone, each fits.
    ['452 4.5.3 Too many recipients', true],
    ['550 5.5.3', true],
    ['451 4.3.0 Multiple destination domains per transaction is unsupported. Please try again.', true],
    ['452 4.5.3 Recipient policy mismatch', true],
    ['550 Recipients belong to different servers', true],
    ['550 Please send to one recipient at a time', true],
    ['554 No valid recipients', true],
    ['550 5.7.1 Recipient address rejected', true],
    ['554 delivery to the following recipient failed', true],
    ['550 5.7.1 This message was blocked to protect the recipients', false],
    ["550 5.7.1 The recipient's server rejects your domain", false],
    ['550 5.7.1 You have exceeded the number of recipients allowed per hour', false],
  ]
  for (const [line, expected] of cases)
    it(`is ${expected} for ${line}`, () => assert.equal(isAboutRecipient(read(line), to), expected))
})

describe('classify', () => {
  for (const [line, expected] of cases)
    it(`${line.slice(0, 90)}: ${expected}`, () => assert.equal(shown(line), expected))

  it('never bounces on a temporary code', () => {
    for (const [line] of cases) {
      const reply = read(line)
      assert.notEqual(classify({ ...reply, code: 450 }).outcome, 'bounced')
      assert.notEqual(classify({ ...reply, code: 421, enhanced: null }).outcome, 'bounced')
    }
  })

  it('returns invalid only for a final reply, because that suppresses the address', () => {
    for (const [line] of cases) assert.notEqual(classify({ ...read(line), code: 451 }).class, 'invalid')
  })

  it('is fast for hostile texts', () => {
    const texts = [
      'mailbox ',
      'over ',
      'message size ',
      'sender ',
      'a',
      ' ',
      'user is ',
      'ip ',
      'violates ',
      'attachment ',
      'daily limit ',
      'account sending ',
      'a@',
      'a.',
      ':',
      'https://',
      '5.1.',
      'exceed',
      'benutzer',
      'unknown or ',
      'header ',
      'message rate ',
      'your server ',
      'email limit ',
      'sending rejected by ',
      'subscription ',
      'storedrv.deliver ',
      'boite ',
      'mailbox pie',
      'mail-box ',
      '192.0.2.1 ',
      'relaying ',
      'scored ',
      'mime type ',
      'do not accept ',
      'links ',
      'sending limit ',
      'max number of messages ',
      'message rejected ',
      'account exceeds the ',
      'your network ',
      'number of ',
      'unwanted ',
      'not found ',
      'mailbox you are ',
      'quota ',
      'smtp account ',
      'user blocked ',
      'a.mailbox ',
      'your ',
      'plan ',
      'plan suspended ',
      'you are ',
      'message contains ',
      'user for ',
      'address 1.1.1.1 ',
      'your ip is 1.',
      'sender unknown ',
      'rate of messages ',
      'organization ',
      'not ',
      'an any ',
      'е',
      '用户',
    ]
    return assertCpuBelow(100, () => {
      for (const text of texts) classify({ code: 550, enhanced: null, text: text.repeat(100_000) })
    })
  })

  it('has a source for every rule', () => {
    for (const { source } of replyRules) assert.ok(source.length > 5)
  })
})
