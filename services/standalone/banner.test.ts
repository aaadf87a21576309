import assert from 'node:assert/strict'
import { banner } from './banner.ts'
import { Config } from './config.ts'

const text = (env: Record<string, string>): string => {
  const config = Config.parse(env)
  return banner({ url: 'http://localhost:8080', metricsUrl: null, first: null, config })
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
      /Only the host name localhost is accepted\. Set POSTRIDER_PUBLIC_URL before you put a proxy in front\./,
    )
  })

  it('warns that sign-up is open if mail leaves, and how to close it', () => {
    assert.match(
      text(live),
      /Sign-up +is open: every user of this machine can sign up and send mail\. POSTRIDER_SIGNUP=off closes it\./,
    )
    for (const env of [{ POSTRIDER_HOST: '0.0.0.0' }, publicUrl])
      assert.match(text({ ...live, ...env }), /Sign-up +is open: everyone who can reach the port can sign up/)
    for (const signup of ['off', 'invite']) assert.doesNotMatch(text({ ...live, POSTRIDER_SIGNUP: signup }), /Sign-up/)
    assert.doesNotMatch(text({}), /Sign-up/)
  })
})
