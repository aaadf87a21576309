import assert from 'node:assert/strict'
import { insideHosts } from '../../../test/support/insideHosts.ts'
import { checkWebhookUrl, mayReach, type WebhookRules, webhookRules } from './url.ts'

const strict = webhookRules()
const selfHosted = webhookRules({ allow: ['127.0.0.0/8', '10.0.0.0/8', 'fd00::/8'] })

const reasonOf = (url: string, rules: WebhookRules): string | null => {
  const checked = checkWebhookUrl(url, rules)
  return checked.kind === 'refused' ? checked.reason : null
}

const targetOf = (url: string, rules: WebhookRules) => {
  const checked = checkWebhookUrl(url, rules)
  assert(checked.kind === 'possible', `${url} is refused`)
  return checked.target
}

const notPublic = /^leads to an address that is not public/

const insideUrls: readonly string[] = [
  ...insideHosts.map((host) => `https://${host}/`),
  'https:\\\\127.0.0.1\\',
  'https:127.0.0.1',
  'HTTPS://127.0.0.1/',
  'https://169.254.169.254/latest/meta-data/',
]

const refusedUrls: readonly (readonly [string, RegExp])[] = [
  ['', /must be a URL/],
  ['example.com/hook', /must be a URL/],
  ['//example.com/hook', /must be a URL/],
  ['https://', /must be a URL/],
  ['https://exa mple.com/', /white space/],
  [' https://example.com/', /white space/],
  ['https://example.com/\n', /white space/],
  ['ht\ttps://example.com/', /white space/],
  ['https://example.com/\u0000', /white space/],
  ['https://1.2.3.4.5/', /must be a URL/],
  ['https://256.0.0.1/', /must be a URL/],
  ['https://[fe80::1%25eth0]/', /must be a URL/],
  ['https://example.com:65536/', /must be a URL/],
  [`https://example.com/${'a'.repeat(2_030)}`, /at most 2048 characters/],
  ['http://example.com/', /must begin with https/],
  ['ftp://example.com/', /must begin with https/],
  ['file:///etc/passwd', /must begin with https/],
  ['gopher://example.com/', /must begin with https/],
  ['ws://example.com/', /must begin with https/],
  ['unix:/run/docker.sock', /must begin with https/],
  ['data:text/plain,a', /must begin with https/],
  ['javascript:alert(1)', /must begin with https/],
  ['blob:https://example.com/1', /must begin with https/],
  ['https://user@example.com/', /user name or a password/],
  ['https://:pw@example.com/', /user name or a password/],
  ['https://8.8.8.8@127.0.0.1/', /user name or a password/],
  // An empty user name was accepted: it is not in the parsed URL.
  ['https://@example.com/', /user name or a password/],
  ['https://:@example.com/', /user name or a password/],
  ['https:\\\\@example.com/', /user name or a password/],
  // The URL parser repairs these texts, and they were stored as they are: other programs read another host in them.
  ['https:example.com', /must begin with https:\/\//],
  ['https:/example.com/', /must begin with https:\/\//],
  ['https:///example.com/', /must begin with https:\/\//],
  ['https:/\\example.com/', /must begin with https:\/\//],
  ['https:\\\\example.com\\a', /must begin with https:\/\//],
  ['https://example.com\\.evil.example/', /backslash/],
  ['https://example.com/a\\b', /backslash/],
  ['https://example.com/\u202etxt', /invisible/],
  ['https://exa\u00admple.com/', /invisible/],
  ['https://exa\u200bmple.com/', /invisible/],
  ['https://example.com/\ufeff', /invisible/],
  ['https://example.com/#a', /fragment/],
  ['https://example.com:25/', /has port 25; the allowed port is 443/],
  ['https://example.com:80/', /has port 80/],
  ['https://example.com:6379/', /has port 6379/],
  ['https://example.com:8443/', /has port 8443/],
  ['https://example.com:0/', /has port 0/],
  ['https://a..b/', /no valid name/],
  ['https://example.com../', /no valid name/],
  [`https://${'a'.repeat(64)}.com/`, /no valid name/],
  ['https://intranet/', /private network/],
  ['https://metadata.google.internal/', /private network/],
  ['https://receiver.default.svc.cluster.local/', /private network/],
  ['https://router.home.arpa./', /private network/],
]

describe('URLs of webhooks', () => {
  // Regression: the reason for http://localhost:3000 was the scheme, and the next one, for https, that the address is
  // not public.
  for (const url of ['http://localhost:3000/', 'http://127.0.0.1/', 'http://[::1]:8080/x', 'https://localhost:3000/'])
    it(`name the command for one's own machine when they refuse ${url}`, () =>
      assert.match(reasonOf(url, strict) ?? '', /not public: .*`postrider webhooks listen`/))

  for (const url of insideUrls) it(`refuse ${url}`, () => assert.match(reasonOf(url, strict) ?? '', notPublic))

  for (const [url, reason] of refusedUrls)
    it(`refuse ${JSON.stringify(url.slice(0, 50))} with the reason`, () =>
      assert.match(reasonOf(url, strict) ?? '', reason))

  for (const [url, canonical] of [
    ['https://example.com/hook?a=b', 'https://example.com/hook?a=b'],
    ['HTTPS://EXAMPLE.COM', 'https://example.com/'],
    ['https://example.com.:443/', 'https://example.com/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://my_host.example.com/', 'https://my_host.example.com/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://134744072/', 'https://8.8.8.8/'],
    ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
    ['https://8.8.8.8.nip.io/', 'https://8.8.8.8.nip.io/'],
    ['https://localhost.example.com/', 'https://localhost.example.com/'],
    ['https://example.com/@user?to=a@b', 'https://example.com/@user?to=a@b'],
    ['https://example.com?to=a@b', 'https://example.com/?to=a@b'],
  ] as const)
    it(`accept ${url}`, () => assert.equal(targetOf(url, strict).url, canonical))

  it('have addresses if no resolver is needed', () => {
    const { addresses, host, port, isEncrypted } = targetOf('http://[fd00::1]:8080/', selfHosted)
    assert.deepEqual([addresses, host, port, isEncrypted], [['fd00::1'], 'fd00::1', 8_080, false])
    assert.deepEqual(targetOf('http://app.localhost/', selfHosted).addresses, ['127.0.0.1', '::1'])
    assert.equal(targetOf('https://example.com/', strict).addresses, null)
  })
})

describe('URLs of webhooks with POSTRIDER_WEBHOOK_ALLOW', () => {
  for (const url of [
    'http://127.0.0.1:3000/',
    'http://127.1/',
    'https://127.0.0.1:8443/',
    'http://localhost:3000/',
    'http://10.1.2.3/',
    'http://[::ffff:10.1.2.3]/',
    'http://[fd00::1]/',
    'http://receiver:8080/',
    'http://receiver.default.svc.cluster.local/',
    'http://hooks.example.com/',
    'http://10.0.0.1.nip.io/',
  ])
    it(`accept ${url}`, () => assert.equal(reasonOf(url, selfHosted), null))

  for (const url of [
    'https://192.168.1.1/',
    'https://169.254.169.254/',
    'https://0.0.0.0/',
    'https://[::]/',
    'https://[::1]/',
    'https://[64:ff9b::10.0.0.1]/',
    'https://[2002:a00:1::]/',
    'https://192.168.0.1.nip.io/',
  ])
    it(`refuse ${url} outside of it`, () => assert.match(reasonOf(url, selfHosted) ?? '', notPublic))

  for (const [url, reason] of [
    ['http://8.8.8.8/', /must begin with https/],
    ['https://8.8.8.8:8443/', /has port 8443/],
    ['http://127.0.0.1:6379/', /has port 6379, which belongs to another protocol/],
    ['https://10.0.0.1:25/', /has port 25, which belongs to another protocol/],
    ['http://receiver:27017/', /has port 27017, which belongs to another protocol/],
    ['http://receiver:0/', /has port 0; /],
    ['http://user@127.0.0.1/', /user name/],
  ] as const)
    it(`refuse ${url} nevertheless`, () => assert.match(reasonOf(url, selfHosted) ?? '', reason))
})

describe('addresses of webhooks', () => {
  const https = targetOf('https://example.com/', strict)
  const http = targetOf('http://hooks.example.com/', selfHosted)
  const otherPort = targetOf('https://hooks.example.com:8443/', selfHosted)

  for (const [what, rules, target, address, expected] of [
    ['a public address', strict, https, '8.8.8.8', true],
    ['a public IPv6 address', strict, https, '2606:4700::1111', true],
    ['loopback', strict, https, '127.0.0.1', false],
    ['a mapped metadata address', strict, https, '::ffff:169.254.169.254', false],
    ['an address with a zone', strict, https, '2606:4700::1111%eth0', false],
    ['a text that is no address', strict, https, 'example.com', false],
    ['an allowed address over plain http', selfHosted, http, '10.0.0.1', true],
    ['a public address over plain http', selfHosted, http, '8.8.8.8', false],
    ['another private address over plain http', selfHosted, http, '192.168.0.1', false],
    ['an allowed address on any port', selfHosted, otherPort, '10.0.0.1', true],
    ['a public address on another port', selfHosted, otherPort, '8.8.8.8', false],
  ] as const)
    it(`${expected ? 'allow' : 'refuse'} ${what}`, () => assert.equal(mayReach(rules, target, address), expected))

  it('have the ports that the operator allows', () => {
    const rules = webhookRules({ ports: [443, 8_443, 6_379] })
    for (const port of [443, 8_443, 6_379])
      assert.equal(mayReach(rules, targetOf(`https://example.com:${port}/`, rules), '8.8.8.8'), true)
    assert.match(reasonOf('https://example.com:444/', rules) ?? '', /the allowed ports are 443, 8443, 6379/)
    assert.match(reasonOf('https://example.com/', webhookRules({ ports: [8_443] })) ?? '', /has port 443/)
  })

  it('do not match a network of IPv6 if they are IPv4', () => {
    const rules = webhookRules({ allow: ['::/0'] })
    assert.match(reasonOf('https://127.0.0.1/', rules) ?? '', notPublic)
    assert.equal(reasonOf('http://[::1]/', rules), null)
  })
})
