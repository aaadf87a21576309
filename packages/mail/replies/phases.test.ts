import assert from 'node:assert/strict'
import { knownReplies, readReply, shownClass } from '../../../test/support/knownReplies.ts'
import { classify, isAboutRecipient } from './replies.ts'

describe('phases of replies', () => {
  it('never makes a reply before RCPT invalid or full, or final unless MAIL refuses the message itself', () => {
    for (const { line } of knownReplies)
      for (const phase of ['greeting', 'ehlo', 'auth', 'mail'] as const) {
        const found = shownClass(line, phase)
        assert.doesNotMatch(found, /invalid|full/, `${phase} ${line}`)
        assert.ok(!found.endsWith('!') || (phase === 'mail' && found === 'content!'), `${phase} ${found} ${line}`)
      }
  })

  it('reads a refusal of our sender as policy where the same words at RCPT mean the recipient', () => {
    const line = '550 5.1.1 <ada@sender.example>: User unknown'
    assert.equal(shownClass(line, 'mail'), 'policy')
    assert.equal(shownClass(line, 'rcpt'), 'invalid!')
    assert.equal(classify(readReply(line), 'rcpt', 'Ada@Sender.example').class, 'policy')
  })

  it('reads the domain of our return path as ours, except next to a mailbox', () => {
    const classOf = (line: string) => classify(readReply(line), 'rcpt', 'bounce+7@bounces.example.org').class
    for (const line of [
      '550 5.1.2 <bounces.example.org>: Domain not found',
      '550 5.1.2 bounces.example.org: Host not found',
      '550 5.1.1 domain BOUNCES.example.org does not exist',
      '550 5.1.2 bounces.example.org: no such domain',
    ])
      assert.equal(classOf(line), 'policy', line)
    for (const line of [
      '550 5.1.2 <other.example>: Domain not found',
      '550 5.1.2 mx.bounces.example.org: Host not found',
      '550 5.1.2 bounces.example.org.br: Host not found',
      '550 5.1.1 <ada@bounces.example.org>: User unknown',
      '550 5.1.1 bounces.example.org: no such user in this domain',
    ])
      assert.equal(classOf(line), 'invalid', line)
  })

  it('retries a full mailbox at MAIL, where only a size of the message is final', () => {
    assert.equal(shownClass('552 5.2.3 Mailbox over its limit', 'mail'), 'transient')
    assert.equal(shownClass('552 5.2.3 Mailbox over its limit', 'rcpt'), 'full')
    assert.equal(shownClass('552 5.2.3 Message is larger than the mailbox accepts', 'mail'), 'content!')
  })

  it('reads a blocked account without a name as ours where RCPT accepted the recipient', () => {
    for (const text of ['5.7.0 Account suspended', '5.7.1 Account is disabled', 'Account has been suspended.']) {
      for (const phase of ['data', 'dot'] as const) assert.equal(shownClass(`550 ${text}`, phase), 'policy', text)
      assert.equal(shownClass(`550 ${text}`, 'rcpt'), 'invalid!', text)
    }
    assert.equal(shownClass('550 <ada@receiver.example>: Account disabled', 'dot'), 'invalid!')
    assert.equal(shownClass('550 Account disabled: ada@receiver.example', 'dot'), 'invalid!')
    assert.equal(shownClass('550 5.2.1 Account disabled', 'dot'), 'invalid!')
  })

  it('reads a general text as no evidence about a recipient that RCPT accepted', () => {
    assert.equal(shownClass('550 Requested action not taken: mailbox unavailable', 'rcpt'), 'invalid!')
    assert.equal(shownClass('550 Requested action not taken: mailbox unavailable', 'dot'), 'unknown!')
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
    // Regression: each recipient was tried alone, although our account, an attachment and the storage of the server are
    // the same for each.
    ['554 5.2.3 Policy violation, cannot deliver to mailboxes: sender account blocked', false],
    ["550 5.2.3 The sender's mailbox is blocked", false],
    ['552 5.2.3 Attachment exceeds the quota of allowed bytes for a file', false],
    ['452 4.3.1 Insufficient system storage to queue this message for the recipients', false],
    ['452 4.3.1 Out of queue space for this recipient list', false],
    ['552 5.2.3 Message exceeds the size for this mailbox', true],
    ['452 4.2.2 Insufficient storage for this recipient', true],
    ['552 5.2.3 Message length exceeds administrative limit', true],
    ['552 5.3.4 Message size exceeds fixed limit', false],
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
    ['550 5.1.1 Too many recipients this hour for your account', false],
    ['550 5.7.28 Flood of mail to unknown users', false],
    ['550 Requested action not taken: mailbox unavailable Failure sending mail. Try again later.', false],
    ['554 Message rejected: recipient is on your suppression list', true],
    ['550 5.7.1 Recipient mailbox is restricted', true],
    ['550 5.7.1 Delivery failed to one of recipients', true],
    ['554 Delivery to one or more of your recipients failed', true],
    ['550 5.7.1 You are not allowed to send to this user', true],
    ['550 5.7.1 You have no permission to send to this mailbox', true],
    ['552 5.3.4 Message too large for this user', true],
    ['452 4.3.2 Recipient over their limit of messages', true],
    ['450 4.2.1 Mailbox temporarily disabled', true],
    // Regression: these refused all recipients of a transaction. Restrictions of a recipient and states of a mailbox,
    // with any code.
    ['550 5.7.1 RESOLVER.RST.AuthRequired; authentication required', true],
    ['550 5.7.1 RESOLVER.RST.NotAuthorized; not authorized', true],
    ['550 5.7.193 AccessDenied messages to this group not allowed', true],
    ['550 mail to this address is restricted to members', true],
    ["550 5.7.1 The recipient's policy forbids this attachment", true],
    ['554 Transaction failed: recipient not accepted', true],
    ['553 mailbox name not allowed', true],
    ['450 4.2.1 mailbox busy', true],
    ['450 4.2.1 The user you are trying to contact is receiving mail too quickly', true],
    ["450 User's mailbox is being migrated", true],
    ['451 Mailbox locked, try later', true],
    ['550 5.7.1 This group does not accept external mail', true],
    ['550 5.7.1 Access to this mailbox is restricted', true],
    ['503 Need RCPT', true],
    ['550 5.7.1 RESOLVER.RST.RestrictedToRecipientsPermission; not authorized to send', true],
    ['550 5.7.1 RESOLVER.RST.SenderNotAuthenticatedForMailbox; Delivery restriction check failed', true],
    ['550 5.7.1 The group is restricted to internal senders', true],
    ['550 5.7.1 The distribution list only accepts mail from members', true],
    ['550 5.0.0 Messages to this alias are not accepted', true],
    ['550 5.7.1 Delivery to this group is not permitted', true],
    ['450 4.2.0 The mailbox is currently busy', true],
    ["451 4.2.1 The recipient's mailbox is being moved", true],
    ['452 4.2.1 This user is receiving mail too fast', true],
    ['421 4.2.1 Maildrop in use', true],
    ['550 5.7.1 Recipients not allowed', true],
    ['554 Recipient is not permitted', true],
    ["550 5.7.1 The recipients' rules do not allow this message", true],
    ['550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required', true],
    ['550 5.7.1 This mailing list is moderated', true],
    ['550 5.7.1 Posting to the group is restricted', true],
    ['550 5.7.1 That user does not accept mail from your domain', true],
    ['450 4.2.1 Mailbox in use, try later', true],
    ["450 4.3.2 Recipient's mailbox is under migration", true],
    ['450 4.2.1 user is receiving messages at a rate that is too high', true],
    ['550 5.7.1 The address is protected', true],
    ['553 5.1.3 mailbox name not allowed', true],
    ['550 5.7.1 external mail to this group is not accepted', true],
    // About our account, connection or message.
    ['550 Message has no recipient header', false],
    ['550 5.7.1 Message rejected due to DMARC policy of the recipient domain', false],
    ['550 5.7.1 The user is not allowed to send mail', false],
    ['550 5.7.1 The sender address is not allowed', false],
    ['450 4.2.1 Sender mailbox busy', false],
    ['450 4.7.26 mailbox busy', false],
    ['550 5.7.1 This account is not allowed to send to external domains', false],
    ['550 5.7.1 Message quota exceeded by this user account', false],
    ['450 4.2.1 Your IP is sending too many messages per hour', false],
    ['450 4.7.1 Sender mailbox temporarily disabled', false],
    ['450 4.7.1 Your mailbox has been temporarily suspended', false],
    ["450 4.7.1 Sender's mailbox is temporarily locked", false],
    ['550 5.7.1 Daily sending limit exceeded for this user', false],
    ['550 5.7.1 Outbound mail is blocked for this user', false],
    ['550 5.7.1 Sender address not allowed for this user', false],
    ['550 5.7.1 You sent mail to 500 recipients over the last hour', false],
    ['550 5.7.1 Limit of recipients over 24 hours reached', false],
    ['550 5.7.1 Message rejected: some of your recipients reported spam', false],
    ['421 4.7.0 This user cannot authenticate', false],
    ['552 5.3.4 Recipients of large messages are asked first', false],
    ['550 5.7.1 Your address is restricted', false],
    ['550 5.7.1 This user is not permitted to relay', false],
    ['550 5.7.1 Your mailbox is restricted to 100 messages', false],
    ['421 4.3.2 Server busy', false],
    ['450 4.3.0 Database locked', false],
    ['550 5.7.1 Return address not accepted', false],
    ['550 The message has no recipient field', false],
    ['450 4.7.1 Sending mailbox is locked', false],
    ['550 5.7.1 The policy of this recipient domain requires DKIM', false],
    ['554 5.7.1 This list of attachments is not allowed', false],
    ['550 5.7.1 Access to this server is denied', false],
    ['550 5.7.1 Delivery to this server is restricted', false],
    ['550 5.7.1 No recipient field in message', false],
    ['550 5.7.1 This message is not allowed', false],
    ['550 5.7.1 The sender is not allowed to use this list of domains', false],
    ['452 4.3.1 Message store busy', false],
    ['450 4.7.1 Originating mailbox temporarily suspended', false],
    ['550 5.7.1 Policy of that recipient server: no mail from dynamic hosts', false],
    // A mailbox that is temporarily unavailable and a recipient that our relay does not know yet; our account and our
    // list.
    ['550 5.2.0 mailbox is being restored', true],
    ['554 5.2.0 STOREDRV.Deliver.Exception:MailboxUnavailableException; mailbox is being moved', true],
    ['550 5.1.1 recipient is not confirmed', true],
    ['551 Main account unavailable', false],
    ['550 5.1.1 You have sent to invalid addresses; blocked for an hour', false],
    ['550 5.1.1 mailbox for bounces does not exist', false],
    // Other languages.
    ['550 Es werden nur Emails von bestimmten Email-Adressen akzeptiert', true],
    ['550 Rechazado por el destinatario', true],
    ['552 Das Postfach des Empfängers ist voll', true],
    ['550 5.1.1 Пользователь не найден', true],
  ]
  for (const [line, expected] of cases)
    it(`is ${expected} for ${line}`, () => assert.equal(isAboutRecipient(readReply(line), to), expected))
})
