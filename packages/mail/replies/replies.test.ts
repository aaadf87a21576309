import assert from 'node:assert/strict'
import { assertCpuBelow } from '../../../test/support/cost.ts'
import { knownReplies, readReply, shownClass } from '../../../test/support/knownReplies.ts'
import { classify, isAboutRecipient, replyRules } from './replies.ts'
import { smtpPhases } from './rule.ts'

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
  // Limits of unknown recipients, in words that also state that one is unknown.
  ['550 Maximum invalid recipients exceeded', 'reputation'],
  ['550 Excess of invalid recipients', 'reputation'],
  ['550 5.1.1 User unknown rejection limit reached', 'reputation'],
  ['550 5.7.1 High rate of user unknown', 'reputation'],
  ['550 5.1.1 More than 5 unknown recipients', 'reputation'],
  ['550 unknown recipients: blocked for 10 minutes', 'reputation'],
  ['550 5.1.1 user enumeration detected', 'reputation'],
  ['550 5.7.1 Too many users unknown in this connection', 'reputation'],
  ['550 5.1.1 User unknown, too many attempts', 'reputation'],
  ['550 5.1.1 User unknown', 'invalid!'],
  ['550 Requested action not taken: mailbox unavailable. Blocked', 'policy!'],
  ['550 Requested action not taken: mailbox unavailable', 'invalid!'],
  // The sending host.
  ['554 5.7.1 192.0.2.1 found in bl.suomispam.net', 'reputation'],
  ['554 see https://matrix.spfbl.net/en/192.0.2.1', 'reputation'],
  ['554 IP in Trend Micro ERS', 'reputation'],
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
  // Between Postrider and the relay: an operator can correct it.
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

describe('corpus of replies', () => {
  it('has at least 4,700 replies, each in one line with a phase and a source', () => {
    assert.ok(knownReplies.length >= 4_700, String(knownReplies.length))
    for (const { phase, source, line } of knownReplies)
      assert.ok(smtpPhases.includes(phase) && source.length > 5 && /^[2-5]\d\d /.test(line), line)
  })

  for (const provider of new Set(knownReplies.map((known) => known.provider)))
    it(`is classified as documented: ${provider}`, () => {
      const known = knownReplies.filter((one) => one.provider === provider)
      assert.deepEqual(
        known.map(({ phase, line }) => `${phase} ${shownClass(line, phase)} ${line}`),
        known.map(({ phase, expected, line }) => `${phase} ${expected} ${line}`),
      )
    })
})

describe('classify', () => {
  for (const [line, expected] of cases)
    it(`${line.slice(0, 90)}: ${expected}`, () => assert.equal(shownClass(line), expected))

  it('never bounces on a temporary code', () => {
    for (const [line] of cases) {
      const reply = readReply(line)
      assert.notEqual(classify({ ...reply, code: 450 }).outcome, 'bounced')
      assert.notEqual(classify({ ...reply, code: 421, enhanced: null }).outcome, 'bounced')
    }
  })

  it('returns invalid only for a final reply, because that suppresses the address', () => {
    for (const [line] of cases) assert.notEqual(classify({ ...readReply(line), code: 451 }).class, 'invalid')
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
      'policy service ',
      'connection ',
      'relay for ',
      'size 100 ',
      'sender temporary ',
      'recipient no longer ',
      'absender ',
      'mittente ',
      'outgoing ',
      'quota for ',
      'ip host ',
      'bl.a.',
      'host a[1] ',
      'connection to the ',
      'could not query the ',
      'source a ',
      'recipient has been ',
      'account locked ',
      'excessive failures ',
      'отправитель ',
      'ihr konto ',
      'ваш ящик заполн ',
      'limite giornalier',
      'count unknown ',
      'archive mailbox ',
      'user table ',
      '不存在',
      'unable to look up ',
      'you send ',
      'your host sends ',
      'half of your ',
      'mailbox being ',
      'user in ',
      'table "',
      'account for this ',
      'postmaster at ',
      'bounces mailbox ',
      'your list contains ',
      'adresse existiert ',
      'message would exceed ',
      'recipient not ',
      'datenbank',
      'verification of ',
      'monthly ',
    ]
    // From bytes, as a session reads them: V8 composes a repeated string at its first use, which costs more than to
    // classify it.
    const long = texts.map((text) => Buffer.from(text.repeat(100_000)).toString())
    // One reply of an attempt: a fiftieth of what an event loop iteration may take.
    const msPerReply = 1
    return assertCpuBelow(msPerReply * long.length, () => {
      for (const text of long) classify({ code: 550, enhanced: null, text })
    })
  })

  // Regression: the whole text of a refusal was searched for words about one recipient.
  it('finds a refusal of one recipient fast in hostile texts', () => {
    const parts = ['recipient address ', 'mailbox is ', 'this group ', "recipient's policy ", 'no recipient ', 'user a']
    const long = parts.map((text) => Buffer.from(text.repeat(100_000)).toString())
    return assertCpuBelow(25, () => {
      for (const text of long) isAboutRecipient({ code: 550, enhanced: null, text }, [])
    })
  })

  it('has a source for every rule', () => {
    for (const { source } of replyRules) assert.ok(source.length > 5)
  })
})
