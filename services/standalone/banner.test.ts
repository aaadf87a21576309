import assert from 'node:assert/strict'
import type { RecordView } from '@postrider/domain/domains/recordViews.ts'
import { banner } from './banner.ts'
import { Config } from './config.ts'

const record = (name: string, status: RecordView['status']): RecordView => ({
  purpose: 'dkim',
  type: 'TXT',
  name: `${name}._domainkey.example.com`,
  value: `v=DKIM1; k=rsa; p=${name}`,
  required: true,
  status,
  found: null,
})

const text = (
  env: Record<string, string>,
  operatorTokenFile: string | null = 'data/operator-token',
  records: RecordView[] = [],
  signInUrl: string | null = null,
): string => {
  const config = Config.parse(env)
  const senderDomain = { name: 'example.com', records }
  return banner({
    url: 'http://localhost:8080',
    metricsUrl: null,
    first: null,
    signInUrl,
    operatorTokenFile,
    senderDomain,
    config,
  })
}

const live = { POSTRIDER_ROUTE: 'smtp://relay.example.com', POSTRIDER_SENDER: 'mail@example.com' }
const publicUrl = { POSTRIDER_PUBLIC_URL: 'https://mail.example.com' }

describe('start banner', () => {
  for (const [name, env, expected] of [
    ['only this machine by default', {}, /Access +only this machine can reach the port\n/],
    [
      'only this machine on a loopback address',
      { POSTRIDER_HOST: '::1' },
      /Access +only this machine can reach the port\n/,
    ],
    [
      'every machine on all addresses',
      { POSTRIDER_HOST: '::' },
      /Access +every machine that can reach this one can reach the port \(POSTRIDER_HOST=::\)/,
    ],
    [
      'every machine on one address',
      { POSTRIDER_HOST: '192.0.2.1' },
      /every machine .* \(POSTRIDER_HOST=192\.0\.2\.1\)/,
    ],
  ] as const)
    it(`reports who can reach the port: ${name}`, () => assert.match(text(env), expected))

  it('reports the public URL, or that only localhost is accepted', () => {
    assert.match(text(publicUrl), /The public URL is https:\/\/mail\.example\.com\./)
    assert.match(
      text({}),
      /Only the host name localhost is accepted\. Set POSTRIDER_PUBLIC_URL before you put a proxy in front\. Without it some proxies show captured mail and metrics to everyone\./,
    )
  })

  // The banner of a port that other machines reach advised about a proxy only, and named rules of an unset public URL.
  it('reports what other machines lack if they reach the port and the public URL is not theirs', () => {
    const open = { POSTRIDER_HOST: '::' }
    assert.match(text(open), /Only the host name localhost is accepted; set POSTRIDER_PUBLIC_URL to the URL that users/)
    const local = text({ ...open, POSTRIDER_PUBLIC_URL: 'http://localhost:9000' })
    assert.match(
      local,
      /The public URL is http:\/\/localhost:9000, which names this machine only; set POSTRIDER_PUBLIC/,
    )
    assert.doesNotMatch(local, /Only the host name/)
  })

  it('shows the link that signs the first owner in on a line of its own', () => {
    const url = 'http://localhost:8080/account/sign-in?token=abc'
    assert.match(text({}, null, [], url), /\n {2}Log in .*once, within 15 minutes.*\n\n {2}http:\S+token=abc\n/)
    assert.doesNotMatch(text({}), /Log in to/)
  })

  it('shows the DNS records of the sender until its DKIM records were found', () => {
    const shown = text(live, null, [record('a', 'found'), record('b', 'missing')])
    assert.match(
      shown,
      /DNS +Add these records to example\.com, .*\n +TXT +a\._domainkey\.example\.com\n +v=DKIM1; k=rsa; p=a\n/,
    )
    assert.match(shown, /TXT +b\._domainkey\.example\.com\n/)
    assert.doesNotMatch(text(live, null, [record('a', 'found'), record('b', 'found')]), /DNS /)
    assert.doesNotMatch(text({}, null, [record('a', 'missing')]), /DNS /)
  })

  for (const [plan, expected] of [
    [
      '',
      /Quota +new workspaces are on the plan free: 3,000 sends a month and 100 a day\n +POSTRIDER_DEFAULT_PLAN=pro or /,
    ],
    [
      'pro',
      /the plan pro: 50,000 sends a month; more cost 1 USD for each 1,000\n +POSTRIDER_DEFAULT_PLAN=free or unlim/,
    ],
    [
      'unlimited',
      /the plan unlimited: no limit of sends\n +POSTRIDER_DEFAULT_PLAN=free or pro changes that\. Existing ones: README\.md/,
    ],
  ] as const)
    it(`reports the quota of new workspaces and how to change it: ${plan || 'default'}`, () =>
      assert.match(text(plan === '' ? {} : { POSTRIDER_DEFAULT_PLAN: plan }), expected))

  it('names the file of the operator token, or its variable, and never the token', () => {
    assert.match(text({}), /Operator +token is in data\/operator-token\n/)
    const token = 'an-operator-token-of-a-test'
    const configured = text({ POSTRIDER_OPERATOR_TOKEN: token }, null)
    assert.match(configured, /Operator +token is that of POSTRIDER_OPERATOR_TOKEN\n/)
    assert.ok(!configured.includes(token))
  })

  it('warns that sign-up is open if mail leaves, and how to close it', () => {
    assert.match(
      text(live),
      /Sign-up +is open: every user of this machine can sign up and send mail\. POSTRIDER_SIGNUP=off closes it\./,
    )
    for (const [env, who] of [
      [{ POSTRIDER_HOST: '0.0.0.0' }, 'the port'],
      [{ POSTRIDER_HOST: '0.0.0.0', ...publicUrl }, 'the port'],
      // Only the proxy on this machine reaches the port.
      [publicUrl, 'https://mail\\.example\\.com'],
    ] as const)
      assert.match(text({ ...live, ...env }), new RegExp(`Sign-up +is open: everyone who can reach ${who} can sign up`))
    for (const signup of ['off', 'invite']) assert.doesNotMatch(text({ ...live, POSTRIDER_SIGNUP: signup }), /Sign-up/)
    assert.doesNotMatch(text({}), /Sign-up/)
  })
})
