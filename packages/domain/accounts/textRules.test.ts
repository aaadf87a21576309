import assert from 'node:assert/strict'
import { senderNameOf, senderNameProblems } from './textRules.ts'

const codesOf = (name: string): string[] => senderNameProblems('sender_name', name).map(({ code }) => code)

describe('sender name', () => {
  for (const name of ['Acme', 'Acme, Inc.', 'Dr. Ada Lovelace', 'Müller & Söhne', 'Team 3.5', '株式会社', ''])
    it(`may be "${name}"`, () => assert.deepEqual(codesOf(name), []))

  for (const name of [
    'security@bank.example',
    'security @ bank',
    'ceo＠bank.example',
    'ceo﹫bank',
    'bank.example',
    'Support (bank.example)',
    'bank．example',
    'bank。example',
    'bank․example',
    'bank\u00AD.example',
    'bank.\uFE0Fexample',
    'банк.рф',
    // Signs that Unicode's table of confusables has for a dot, letters or marks.
    'support＠bank.com',
    'bаnk․com',
    'bankꓸcom',
    'bank܁com',
    'bank𝅭com',
    'bank٠com',
    'bank۰com',
    'bank꘎com',
    'bank۔com',
    'bank﹒com',
    'bank︒com',
    'bank·com',
    'bank・com',
    'bank•com',
    'bank∙com',
    'bankꞏcom',
    // Dots that the table of Unicode does not have.
    'bank\u2e33com',
    // Braille with one low dot.
    ...['bank\u2804com', 'bank\u2820com', 'bank\u2840com', 'bank\u2880com'],
    'bank\u1803com',
    'bank\u0971com',
    'bankㆍcom',
    'bankㆍсom',
    'bank\uffa0.com',
    'ᖯank.ⅽom',
    '𝐛𝐚𝐧𝐤.𝐜𝐨𝐦',
    'ⓑⓐⓝⓚ.ⓒⓞⓜ',
    'b\u0308ank.c\u0308om',
    'bank.\u034fcom',
    'bank\u{e0100}.com',
    'bank.\u{e0063}com',
    'bank.c0m',
    'bank⒈com',
    'paypal．com',
    'BANK.COM',
    // Regression: these were accepted: spaces before the dot.
    ...[
      'bank .com',
      'bank  .  com',
      'bank\u00a0.com',
      'bank\u2003․ com',
      'bank\u2800.com',
      'bank.\u200dсоm .',
      'bank .сom',
    ],
    ...['bank.\u200acom', 'bank.\u2009com', 'bank\u202f.\u202fcom', 'bank\u3000．ｃｏｍ'],
    // Dots of half height that the table does not have.
    ...['bank⠂com', 'bank⠐com', 'bank⦁com', 'bank་com', 'bank𐤟com', 'bank𐩐com', 'bank𛲟com'],
    // Regression: these were accepted: dots of more scripts, and marks below or above a letter before a well-known
    // top-level domain.
    ...['bank\u0888com', 'bank\u{11049}com', 'bank\u{115c4}com', 'bank\u{10af4}com', 'bank\u{11f45}com'],
    ...[
      'bank\u0323com',
      'bank\u0325net',
      'ban\u1e33com',
      'Paypal\u0323com Support',
      'bank\u0307ORG',
      'bank\u0323co\u0323uk',
    ],
    // Letters in circles, squares, brackets and flags.
    ...['securityⓐbank', 'securityⒶbank', 'ceo🅐bank', '🅱🅰🅽🅺.🅲🅾🅼', '🅑ank.🅒🅞🅜', 'bank.⒞⒪⒨', 'bank.🄒🄞🄜', 'bank.🇨🇴🇲'],
    ...['bank.©om', 'bank.®u', 'bank.c○m', 'bank.c☉m', 'bank\ue000.com', 'bank\u0378.com'],
    // Signs and emoji before the dot, and digits for letters.
    ...[
      '🏦.com',
      'i❤️.ws',
      'bank_.com',
      'bank֊.com',
      'bank–.com',
      'bank.0rg',
      'bank.1nfo',
      'https://bank',
      'https：／／bank',
    ],

    'xn--bnk-5cd.xn--p1ai',
  ])
    it(`must not read as an address: "${name}"`, () => assert.deepEqual(codesOf(name), ['looks_like_address']))

  for (const name of ['a\nb', 'a\r\nBcc: x', 'a\u0000', 'a\u202Eb', 'a\u2066b', 'a\u200Bb', 'a\u2028b', 'a\u206eb'])
    it(`must not hide or reorder text: ${JSON.stringify(name)}`, () =>
      assert.deepEqual(codesOf(name), ['control_character']))

  for (const name of [
    'Web 2.0',
    'Release 1.10',
    'U.S. Bank',
    'Acme … und mehr',
    'Novel·la Col·lecció',
    'ジョン・スミス',
    '뉴스ㆍIT',
    '서울ㆍ부산',
    'Café • Bar',
    'شركة ٢٠٢٤',
    'प्रिय बैंक',
    'Ωmega',
    'Loading...done',
    'Ann 👩‍👩‍👧',
    'Acme ... and more',
    'Acme. Inc',
    'Dr. No',
    'Team 🇩🇪',
    'Acme © 2026',
    'Acme®',
    'Acme Inc.™',
    'Acme Inc.℠',
    'Acme S.p.A.®',
    'Dr.\u00a0Ada',
    '1\u202f000 Books',
    'Ⓑ Bank',
    '3.5mm Shop',
    'v1.2beta',
    'No.5',
    'Ann · Bob',
    'བོད་ཡིག',
    'C++ / Rust',
    // Names and words with dots as marks.
    ...['Ṛgveda', 'Kṛṣṇa', 'Kṛṣṇadev', 'Viṣṇu Paṇḍit', 'Gaṇeśa', 'Meḥmed Raḥman', 'Ṣalāḥ', 'Muḥammad', 'Aḥmed'],
    ...['Thạch', 'Phụng Ngọc', 'Bạch Việt', 'Mạnh Hạnh', 'Żuk', 'Kożuch', 'Eglė', 'FİNET', 'DİJİNET', 'Ġorġ'],
    ...['bank\u0323comfort', 'Ạcom', '\u{11049}\u{11013}'],
  ])
    it(`may be "${name}"`, () => assert.deepEqual(codesOf(name), []))

  // Regression: these were accepted: mail then had a sender without a visible name.
  for (const name of ['\u3164', '\u2800 \u2800', '\u00ad', '\u034f\u115f', '\ufe0f'])
    it(`must show something: ${JSON.stringify(name)}`, () => assert.deepEqual(codesOf(name), ['empty']))

  it('must not contain an encoded word', () =>
    assert.deepEqual(codesOf('=?utf-8?q?ceo=40bank.example?='), ['encoded_word']))

  it('is not used if an earlier release accepted it although it reads as an address', () => {
    const named = (name: string, senderName: string) => senderNameOf({ name, senderName })
    assert.equal(named('Acme', 'bankꓸcom'), 'Acme')
    assert.equal(named('bank.com', 'bankꓸcom'), '')
    assert.equal(named('Acme', '=?utf-8?q?a?='), 'Acme')
  })

  it('defaults to the name of the workspace, unless that reads as an address', () => {
    const named = (name: string, senderName = '') => senderNameOf({ name, senderName })
    assert.deepEqual([named('Acme'), named('bank.example'), named('Acme', 'Ada')], ['Acme', '', 'Ada'])
  })
})
