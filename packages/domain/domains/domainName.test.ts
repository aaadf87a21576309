import assert from 'node:assert/strict'
import { maxDomainNameLength, readDomainName } from './domainName.ts'

const platform = ['mail.postrider.example', 'xn--bcher-kva.example']
const read = (text: string) => readDomainName(text, platform)

const label = 'a'.repeat(50)
const long = (length: number) => `${Array(4).fill(label).join('.')}.example.com`.slice(-length).replace(/^[.]/, 'a')

const accepted: [string, string][] = [
  ['example.com', 'example.com'],
  ['EXAMPLE.Com', 'example.com'],
  ['example.com.', 'example.com'],
  ['mail.example.co.uk', 'mail.example.co.uk'],
  ['example.test', 'example.test'],
  ['shop.example', 'shop.example'],
  ['mail.corp.internal', 'mail.corp.internal'],
  ['bücher.example.com', 'xn--bcher-kva.example.com'],
  ['BÜCHER.example.com', 'xn--bcher-kva.example.com'],
  ['XN--BCHER-KVA.example.com', 'xn--bcher-kva.example.com'],
  ['example。com', 'example.com'],
  ['ｅxample.com', 'example.com'],
  ['аpple.com', 'xn--pple-43d.com'],
  ['jane.github.io', 'jane.github.io'],
  ['amazonaws.com', 'amazonaws.com'],
  ['postrider.example', 'postrider.example'],
  ['xmail.postrider.example', 'xmail.postrider.example'],
  ['123.example.com', '123.example.com'],
  ['a-b.example.com', 'a-b.example.com'],
  [long(maxDomainNameLength), long(maxDomainNameLength)],
]

const registered = 'enter a domain that you registered, such as example.com.'
const refused: [string, string, string][] = [
  ['', 'empty', 'Enter a domain such as example.com.'],
  ['  ', 'empty', 'Enter a domain such as example.com.'],
  ['com', 'public_suffix', `com has only one part; ${registered}`],
  ['mail', 'public_suffix', `mail has only one part; ${registered}`],
  ['localhost', 'public_suffix', `localhost is reserved for other uses than mail; ${registered}`],
  ['LOCALHOST.', 'public_suffix', `localhost is reserved for other uses than mail; ${registered}`],
  ['a.localhost', 'public_suffix', `a.localhost is reserved for other uses than mail; ${registered}`],
  ['printer.local', 'public_suffix', `printer.local is reserved for other uses than mail; ${registered}`],
  ['a.invalid', 'public_suffix', `a.invalid is reserved for other uses than mail; ${registered}`],
  ['a.onion', 'public_suffix', `a.onion is reserved for other uses than mail; ${registered}`],
  [
    '1.0.0.10.in-addr.arpa',
    'public_suffix',
    `1.0.0.10.in-addr.arpa is reserved for other uses than mail; ${registered}`,
  ],
  ['co.uk', 'public_suffix', `co.uk is a public suffix, below which different owners have names; ${registered}`],
  [
    'github.io',
    'public_suffix',
    `github.io is a public suffix, below which different owners have names; ${registered}`,
  ],
  [
    's3.amazonaws.com',
    'public_suffix',
    `s3.amazonaws.com is a public suffix, below which different owners have names; ${registered}`,
  ],
  [
    '公司.cn',
    'public_suffix',
    `xn--55qx5d.cn is a public suffix, below which different owners have names; ${registered}`,
  ],
  ['127.0.0.1', 'public_suffix', `This is an IP address; ${registered}`],
  ['127.0.0.1.', 'public_suffix', `This is an IP address; ${registered}`],
  ['0177.0.0.1', 'public_suffix', `This is an IP address; ${registered}`],
  ['0x7f.1', 'public_suffix', `This is an IP address; ${registered}`],
  ['１２７。０。０。１', 'public_suffix', `This is an IP address; ${registered}`],
  ['127｡0．0.1', 'public_suffix', `This is an IP address; ${registered}`],
  ['①②⑦.⓪.⓪.①', 'public_suffix', `This is an IP address; ${registered}`],
  ['⓪x7f000001', 'public_suffix', `This is an IP address; ${registered}`],
  ['［::1］', 'public_suffix', `This is an IP address; ${registered}`],
  ['::ffff:10.0.0.1', 'public_suffix', `This is an IP address; ${registered}`],
  ['fe80::1%eth0', 'public_suffix', `This is an IP address; ${registered}`],
  ['localhost。', 'public_suffix', `localhost is reserved for other uses than mail; ${registered}`],
  ['ⅼocalhost', 'public_suffix', `localhost is reserved for other uses than mail; ${registered}`],
  ['*.github.io', 'wildcard', 'A domain covers its subdomains, so no “*” is needed. Enter only the domain: github.io.'],
  ['127.1', 'public_suffix', `This is an IP address; ${registered}`],
  ['0x7f000001', 'public_suffix', `This is an IP address; ${registered}`],
  ['2130706433', 'public_suffix', `This is an IP address; ${registered}`],
  ['[127.0.0.1]', 'public_suffix', `This is an IP address; ${registered}`],
  ['::1', 'public_suffix', `This is an IP address; ${registered}`],
  ['[IPv6:::1]', 'public_suffix', `This is an IP address; ${registered}`],
  [
    'mail.postrider.example',
    'platform_domain',
    'mail.postrider.example belongs to this service; enter a domain that you registered.',
  ],
  [
    'a.MAIL.postrider.example.',
    'platform_domain',
    'a.mail.postrider.example belongs to this service; enter a domain that you registered.',
  ],
  [
    'm\u00adail.postrider。example',
    'platform_domain',
    'mail.postrider.example belongs to this service; enter a domain that you registered.',
  ],
  [
    'bücher.example',
    'platform_domain',
    'xn--bcher-kva.example belongs to this service; enter a domain that you registered.',
  ],
  ['https://example.com/a?b=c', 'url', 'This is a URL. Enter only the domain: example.com.'],
  ['https://user:pass@Example.com:8443/', 'url', 'This is a URL. Enter only the domain: example.com.'],
  ['mailto:jane@example.com', 'url', 'This is a URL. Enter only the domain: example.com.'],
  ['example.com/', 'url', 'This is part of a URL. Enter only the domain: example.com.'],
  ['//example.com', 'url', 'This is part of a URL. Enter only the domain, such as example.com.'],
  ['example.com?x=1', 'url', 'This is part of a URL. Enter only the domain: example.com.'],
  ['jane@example.com', 'address', 'This is an address. Enter only the domain: example.com.'],
  ['Jane <jane@example.com>', 'address', 'This is an address. Enter only the domain: example.com.'],
  ['@example.com', 'address', 'This is an address. Enter only the domain: example.com.'],
  [' example.com', 'whitespace', 'The name has spaces or line breaks. Enter only the domain: example.com.'],
  ['example.com\n', 'whitespace', 'The name has spaces or line breaks. Enter only the domain: example.com.'],
  ['exam ple.com', 'whitespace', 'The name has spaces or line breaks. Enter only the domain: example.com.'],
  [
    '*.example.com',
    'wildcard',
    'A domain covers its subdomains, so no “*” is needed. Enter only the domain: example.com.',
  ],
  [
    '_dmarc.example.com',
    'underscore',
    'A sending domain must not contain “_”. Enter the domain itself, without the part that starts with “_”.',
  ],
  [
    'my_shop.example.com',
    'underscore',
    'A sending domain must not contain “_”. Enter the domain itself, without the part that starts with “_”.',
  ],
  ['example..com', 'empty_label', 'There are dots with nothing between them. Enter only the domain: example.com.'],
  ['.example.com', 'empty_label', 'There are dots with nothing between them. Enter only the domain: example.com.'],
  ['example.com..', 'empty_label', 'There are dots with nothing between them. Enter only the domain: example.com.'],
  [
    '-a.example.com',
    'invalid_domain',
    'The part between two dots must not start or end with “-”; enter the domain as it is registered.',
  ],
  [
    'exa$mple.com',
    'invalid_domain',
    'This is not a domain name: it has characters that no registry accepts. Enter a domain such as example.com.',
  ],
  [
    '☃.example.com',
    'invalid_domain',
    'This is not a domain name: it has characters that no registry accepts. Enter a domain such as example.com.',
  ],
  [
    'xn--a.example.com',
    'invalid_domain',
    'This is not a domain name: it has characters that no registry accepts. Enter a domain such as example.com.',
  ],
  [
    'example.com\0',
    'invalid_domain',
    'This is not a domain name: it has characters that no registry accepts. Enter a domain such as example.com.',
  ],
  [
    `${'a'.repeat(64)}.com`,
    'too_long',
    'The part between two dots has more than 63 characters; enter the domain as it is registered.',
  ],
  [
    `${Array(4).fill(label).join('.')}.${label}.com`,
    'too_long',
    'A sending domain must be at most 220 characters, because the names of its DNS records are longer; enter a shorter domain.',
  ],
  [
    'a.'.repeat(1_000_000),
    'too_long',
    'A sending domain must be at most 220 characters, because the names of its DNS records are longer; enter a shorter domain.',
  ],
]

describe('names of sending domains', () => {
  for (const [text, name] of accepted)
    it(`accepts ${JSON.stringify(text).slice(0, 60)}`, () => assert.deepEqual(read(text), { ok: true, name }))

  for (const [text, code, message] of refused)
    it(`refuses ${JSON.stringify(text).slice(0, 60)} with a reason`, () =>
      assert.deepEqual(read(text), { ok: false, code, message }))
})
