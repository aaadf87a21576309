import assert from 'node:assert/strict'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { rendersOf } from './caseChart.ts'
import { skipSuiteIf } from './command.ts'

describe('notes of the chart', function notesSuite() {
  skipSuiteIf(async () => whyNoHelm())

  const route = 'config.POSTRIDER_ROUTE=smtp://relay.example.com'
  const ingress =
    'ingress.enabled=true,ingress.hosts[0]=m.localhost,ingress.hosts[1]=m.example,config.POSTRIDER_TRUSTED_PROXIES=10.0.0.0/8'
  const open = /Sign-up is open: everyone who can reach the gateway can sign up and send mail/
  const wrongUrl = /names the machine of the user: set config\.POSTRIDER_PUBLIC_URL/
  const unverified = /certificate of the mail server is not verified/
  const single = /WARNING: only one replica of (.*) may run/
  const prepare = /-l job-name=postrider-prepare -o jsonpath=.*terminated\.message/
  const cases = [
    ['capture mail by default', [], [/Mail is captured/], [open, unverified, wrongUrl, /sender/]],
    ['warn of open sign-up if mail is sent', [route], [open, /The sender is mail@postrider/], [/captured/, unverified]],
    [
      'name the DNS records of a sender that is set',
      [route, 'config.POSTRIDER_SENDER=Mail <mail@example.com>'],
      [/signed with DKIM: set the DNS records that GET \/api\/v1\/operator\/platform-domain returns/],
      [/most servers refuse/],
    ],
    ['name no DNS records of the default sender', [route], [/most servers refuse/], [/platform-domain/]],
    ['warn of open sign-up with a route in a Secret', ['secrets.variables.POSTRIDER_ROUTE.key=route'], [open], []],
    ['name no sign-up that is closed', [route, 'config.POSTRIDER_SIGNUP=off'], [], [open]],
    ['name no sign-up that accounts closes', [route, 'accounts.config.POSTRIDER_SIGNUP=off'], [], [open]],
    ['warn of a certificate that is not verified', [`${route}?tls=unverified`], [unverified], []],
    [
      'warn of a public URL that users cannot open with a load balancer',
      ['gateway.service.type=LoadBalancer'],
      [wrongUrl],
      [/not reachable/],
    ],
    ['accept the public URL of an Ingress', [ingress, 'config.POSTRIDER_PUBLIC_URL=https://m.example'], [], [wrongUrl]],
    [
      'warn of services with one replica, and name no others',
      ['defaults.autoscaling.enabled=false,defaults.replicas=1,quota.replicas=2,intake.autoscaling.enabled=true'],
      [/only one replica of accounts, dispatcher, domains, gateway, templates, webhooks may run/],
      [],
    ],
    [
      'warn of autoscaling to one replica',
      ['intake.autoscaling.minReplicas=1'],
      [/only one replica of intake may run/],
      [],
    ],
    ['name the commands that show why a preparation failed', [], [prepare], [single]],
    ['name no preparation that is off', ['prepare.enabled=false'], [], [prepare]],
    [
      'state that the test needs a key while sign-up is off',
      ['config.POSTRIDER_SIGNUP=off'],
      [/sign-up is off, so set test\.existingSecret/],
      [],
    ],
    [
      'print the public URL of the gateway',
      ['gateway.config.POSTRIDER_PUBLIC_URL=https://m.a', 'accounts.config.POSTRIDER_PUBLIC_URL=https://m.a'],
      [/at https:\/\/m\.a\n/],
      [],
    ],
  ] as const

  // helm renders notes only with a cluster, so a chart of all cases prints them.
  let renders: ReturnType<typeof rendersOf> = []
  before(() => {
    renders = rendersOf(cases.map(([, set]) => ({ set })))
  })

  for (const [index, [name, , wanted, unwanted]] of cases.entries())
    it(name, () => {
      const { faults, notes: text } = renders[index] ?? assert.fail('not rendered')
      assert.equal(faults, '')
      for (const one of wanted) assert.match(text, one)
      for (const one of unwanted) assert.doesNotMatch(text, one)
    })
})
