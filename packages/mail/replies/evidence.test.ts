import assert from 'node:assert/strict'
import { knownReplies, readReply, shownClass } from '../../../test/support/knownReplies.ts'
import { classify, isAboutRecipient } from './replies.ts'

describe('evidence in replies', () => {
  it('reads X.7.20 to X.7.29 as authentication with any words, except a flood', () => {
    const texts = ['User unknown', 'mailbox full', 'blocked using zen.spamhaus.org', 'spam', 'too many connections', '']
    for (const text of [...texts, ...knownReplies.map(({ line }) => readReply(line).text)])
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
      assert.equal(shownClass(`550 5.1.1 <${address}>: Recipient address rejected: User unknown`), 'invalid!', name)
      assert.equal(
        shownClass(`550 5.1.1 ${address} does not exist, see https://${name}.example/${name}`),
        'invalid!',
        name,
      )
      assert.equal(shownClass(`550 ${name}.example: no such user ${address}`), 'invalid!', name)
      assert.equal(shownClass(`552 5.2.2 <${address}> mailbox full`), 'full', name)
    }
  })

  it('never reads a general refusal with another reason as a missing recipient', () => {
    const refusals: [text: string, enhanced: string | null][] = [
      ['Requested action not taken: mailbox unavailable. ', null],
      ['Mailbox unavailable: ', null],
      ['Mailbox unavailable, ', '5.5.0'],
      ['<ada@receiver.example>: Recipient address rejected: ', '5.1.1'],
      ['<ada@receiver.example>: Recipient address rejected: ', '5.1.0'],
      ['User unavailable. ', '5.2.1'],
    ]
    const reasons = ['hash denied', 'bad weather', 'unknown client', 'protocol violation', 'fee unpaid']
    for (const [text, enhanced] of refusals) {
      for (const reason of reasons)
        assert.notEqual(classify({ code: 550, enhanced, text: `${text}${reason}` }).class, 'invalid', text + reason)
      for (const reason of [
        'user unknown',
        'no such mailbox',
        'account closed',
        'see our page',
        '(S2017) [AM7 2023 08D]',
      ])
        assert.equal(classify({ code: 550, enhanced, text: `${text}${reason}` }).class, 'invalid', text + reason)
    }
  })

  it('reads an address as a whole, not as a part of a longer one', () => {
    const sender = 'ann@example.com'
    const classOf = (address: string) =>
      classify({ code: 550, enhanced: '5.1.1', text: `<${address}>: user unknown` }, 'rcpt', sender).class
    assert.equal(classOf(sender), 'policy')
    assert.equal(classOf('Ann@Example.com'), 'policy')
    for (const other of ['joann@example.com', 'jo.ann@example.com', 'ann@example.com.br', 'ann@example.community'])
      assert.equal(classOf(other), 'invalid', other)
    const recipients = ['ce@x.example', 'ada@receiver.example']
    const aboutOne = (text: string) => isAboutRecipient({ code: 550, enhanced: null, text }, recipients)
    assert.equal(aboutOne('Spam from bounce@x.example'), false)
    assert.equal(aboutOne("Rejected for 'ce@x.example'."), true)
  })

  it('reads a refusal of one of several recipients as one', () => {
    for (const text of [
      'Delivery has failed to these recipients',
      'Delivery not possible to at least one addressee',
      'not accepted by destination mailbox',
      'different policies for recipients',
    ])
      assert.equal(isAboutRecipient({ code: 550, enhanced: null, text }, ['ada@receiver.example']), true, text)
  })

  it('reads “e-mail” as “email”', () => {
    for (const line of ['550 No such e-mail address', '554 Too many e-mails, wait an hour', '552 E-mail is too large'])
      assert.equal(shownClass(line), shownClass(line.replace(/e-mail/i, 'email')), line)
    assert.equal(shownClass('554 Too many e-mails, wait an hour'), 'transient')
  })

  it('reads “mail box” and “mail-box” as “mailbox”', () => {
    for (const name of ['mailbox', 'mail box', 'mail-box', 'Mail-Box'])
      assert.equal(shownClass(`550 ${name} not found`), 'invalid!', name)
  })

  it('reads X.2.1 about the message as no evidence about the mailbox', () => {
    assert.equal(shownClass('521 5.2.1 : AOL will not accept delivery of this message.', 'dot'), 'policy!')
    assert.equal(shownClass('550 5.2.1 Over'), 'invalid!')
  })

  it('reads a server without space as the system, not as a full mailbox', () => {
    for (const line of ['452 Out of disk space', '452 spool disk too full', '554 Mail system storage is full'])
      assert.equal(shownClass(line), 'transient', line)
    assert.equal(shownClass('552 Mailbox storage is full'), 'full')
  })

  it('reads texts the same with a host name before them and a note after them', () => {
    for (const { phase, line } of knownReplies) {
      const reply = readReply(line)
      if (/^4\.\d/.test(reply.text)) continue
      for (const text of [
        `mx1.receiver.example ${reply.text}`,
        `${reply.text} See https://support.receiver.example/bounces?code=17`,
        `${reply.text} (in reply to RCPT TO command)`,
        `<ada@receiver.example>: ${reply.text}`,
      ]) {
        const { class: found } = classify({ ...reply, text }, phase)
        if (found === 'invalid') assert.match(shownClass(line, phase), /^invalid/, text)
      }
    }
    assert.equal(shownClass('550 authentication required (in reply to RCPT TO command)'), 'policy')
    assert.equal(shownClass('421 4.7.0 mx.example Error: too many errors [4f8a2c]'), 'transient')
    assert.equal(shownClass('550 <ada@receiver.example> not used [4f8a2c]'), 'invalid!')
    const text = 'low reputation of the sending domain this message has been blocked'
    assert.equal(shownClass(`550 5.7.1 Due to the ${text}`, 'dot'), 'reputation')
  })

  it('reads sentences that have no space after the period', () => {
    assert.equal(shownClass('550 Delivery error.Mailbox of jane is FULL'), 'full')
  })

  it('reads the names of exceptions, which look like host names', () => {
    const stored = 'STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded; failed'
    assert.equal(shownClass(`554 5.2.0 ${stored}`, 'dot'), 'full')
    assert.equal(shownClass('550 5.1.0 RESOLVER.ADR.ExRecipNotFound; not found'), 'invalid!')
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
      ['Votre compte désactivé', 'policy'],
      ['Ваш почтовый ящик отключен', 'policy'],
      ['您的账号不存在', 'unknown!'],
    ]
    for (const [text, expected] of cases) assert.equal(shownClass(`550 ${text}`), expected, text)
    for (const [text] of cases) assert.doesNotMatch(shownClass(`450 ${text}`), /invalid|!/, text)
  })

  it('retries a permanent code with an enhanced code of class 4, and never makes it invalid', () => {
    for (const { line } of knownReplies) {
      const { class: found, outcome } = classify({ code: 550, enhanced: null, text: `4.1.1 ${readReply(line).text}` })
      assert.equal(outcome, 'deferred', line)
      assert.notEqual(found, 'invalid', line)
    }
  })

  // Regression: “No such table: users” and “mailbox is being restored” were invalid.
  it('reads a search for the recipient without an answer, and a mailbox that is unavailable for now, as temporary', () => {
    const texts = [
      'Unable to look up user',
      'Could not resolve user at this time',
      'no such table: users',
      'Unknown column mailbox',
      'Unknown recipient verification error',
      'recipient verification server not found',
      "user's mailbox is being restored",
      'account in migration',
      'mailbox store offline',
    ]
    for (const text of texts)
      for (const code of ['550 5.1.1', '550 5.1.0', '550 5.2.1', '550 5.0.0', '550'])
        for (const phase of ['rcpt', 'data', 'dot'] as const)
          assert.doesNotMatch(shownClass(`${code} ${text}`, phase), /invalid|full|!/, `${code} ${text}`)
    for (const text of ['Unable to find user', 'user lookup failed: no such user', 'Mailbox has been moved'])
      assert.equal(shownClass(`550 5.1.1 ${text}`), 'invalid!', text)
  })

  it('reads X.1.1 at RCPT with a text in an unknown language as its code, and with readable words as their reason', () => {
    for (const text of ['xyzzy', 'Kasutajat ei leitud', 'المستخدم غير موجود', 'Пайдаланушы табылмады', '']) {
      assert.equal(shownClass(`550 5.1.1 ${text}`), 'invalid!', text)
      assert.notEqual(shownClass(`550 5.7.1 ${text}`), 'invalid!', text)
      if (text !== '') assert.notEqual(shownClass(`550 5.1.1 ${text}`, 'dot'), 'invalid!', text)
    }
    for (const text of [
      'Computer says no',
      'hash denied',
      'Serverfehler',
      'Zugriff verweigert',
      'Доступ запрещен',
      '拒绝访问',
    ])
      assert.doesNotMatch(shownClass(`550 5.1.1 ${text}`), /invalid|full/, text)
    assert.equal(classify(readReply('550 5.1.1 xyzzy')).isKnown, false)
  })

  it('marks a text that no rule knows', () => {
    assert.equal(classify(readReply('550 5.7.1 Computer says no')).isKnown, false)
    assert.equal(classify(readReply('450 Computer says perhaps')).isKnown, false)
    assert.equal(classify(readReply('554 Computer says no'), 'greeting').isKnown, false)
    assert.equal(classify(readReply('550 5.1.1 User unknown')).isKnown, true)
    assert.equal(classify(readReply('250 OK')).isKnown, true)
  })
})
