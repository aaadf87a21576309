import assert from 'node:assert/strict'
import {
  bearer,
  callersOfOneToken,
  type PeerCertificate,
  type PeerSecurity,
  type PeerSecurityConfig,
  peerSecurity,
} from './credentials.ts'
import { identifyBy } from './identify.ts'

const [shared, next, ofGateway, ofIntake] = ['shared', 'next', 'of gateway', 'of intake']
const names = ['gateway', 'intake']
const noCertificate = () => undefined

describe('identity by token', () => {
  const identified = (config: PeerSecurityConfig, token: string | null): string | null =>
    identifyBy(
      peerSecurity(config, 'quota'),
      names,
    )({
      authorization: bearer(token) ?? undefined,
      certificate: noCertificate,
    })
  const each = { POSTRIDER_WIRE_TOKEN_GATEWAY: [ofGateway], POSTRIDER_WIRE_TOKEN_INTAKE: [ofIntake] }
  const rotation = {
    POSTRIDER_WIRE_TOKEN_GATEWAY: [shared, ofGateway],
    POSTRIDER_WIRE_TOKEN_INTAKE: [shared, ofIntake],
  }
  const cases: [name: string, config: PeerSecurityConfig, token: string | null, callers: string | null][] = [
    ['a shared token is any caller', { POSTRIDER_WIRE_TOKEN: [shared, next] }, shared, 'gateway,intake'],
    ['the next shared token is any caller', { POSTRIDER_WIRE_TOKEN: [shared, next] }, next, 'gateway,intake'],
    ['the token of the gateway is the gateway', each, ofGateway, 'gateway'],
    ['the token of intake is intake', each, ofIntake, 'intake'],
    [
      'a shared token is no caller where each caller has its own',
      { ...each, POSTRIDER_WIRE_TOKEN: [shared] },
      shared,
      null,
    ],
    ['a token of several callers is each of them', rotation, shared, 'gateway,intake'],
    ['the second token of a caller is that caller', rotation, ofIntake, 'intake'],
    ['no token is no caller', each, null, null],
    ['an empty token is no caller', each, '', null],
    ['another token is no caller', each, `${ofGateway} `, null],
    ['nothing is accepted where nothing is configured', {}, '', null],
  ]
  for (const [name, config, token, callers] of cases)
    it(name, () => {
      assert.equal(identified(config, token), callers)
    })

  // Two callers with one token were accepted without a warning.
  it('is reported if it is the first one of several callers', () => {
    const reported = (config: PeerSecurityConfig) => callersOfOneToken(peerSecurity(config, 'quota'))
    const same = { ...each, POSTRIDER_WIRE_TOKEN_INTAKE: [ofGateway, ofIntake] }
    assert.deepEqual(reported(same), ['gateway', 'intake'])
    assert.deepEqual(reported({ ...same, POSTRIDER_WIRE_IDENTITY: 'certificate' }), [])
    assert.deepEqual(reported(each), [])
    assert.deepEqual(reported({ ...each, POSTRIDER_WIRE_TOKEN_INTAKE: [ofIntake, ofGateway] }), [])
    assert.deepEqual(reported({ POSTRIDER_WIRE_TOKEN: [shared] }), [])
  })

  it('is accepted at each step from a shared token to one for each caller, while old and new processes run', () => {
    const of = (gateway: string[], intake: string[]): PeerSecurityConfig => ({
      POSTRIDER_WIRE_TOKEN: [shared],
      POSTRIDER_WIRE_TOKEN_GATEWAY: gateway,
      POSTRIDER_WIRE_TOKEN_INTAKE: intake,
    })
    const steps: PeerSecurityConfig[] = [
      { POSTRIDER_WIRE_TOKEN: [shared] },
      of([shared, ofGateway], [shared, ofIntake]),
      of([ofGateway, shared], [ofIntake, shared]),
      each,
      { ...each, POSTRIDER_WIRE_TOKEN_GATEWAY: [ofGateway, next] },
      { ...each, POSTRIDER_WIRE_TOKEN_GATEWAY: [next, ofGateway] },
      { ...each, POSTRIDER_WIRE_TOKEN_GATEWAY: [next] },
    ]
    for (const [number, step] of steps.slice(1).entries())
      for (const caller of [steps[number] ?? {}, step])
        for (const server of [steps[number] ?? {}, step])
          for (const name of names) {
            const callers = identified(server, peerSecurity(caller, name).token)?.split(',')
            assert.ok(callers?.includes(name), `${name} at step ${number + 1}: ${callers}`)
          }
  })

  it('is sent as the own token of a process, and else as the shared one', () => {
    const sent: [self: string, config: PeerSecurityConfig, token: string | null][] = [
      ['gateway', { ...each, POSTRIDER_WIRE_TOKEN: [shared] }, ofGateway],
      ['gateway', { POSTRIDER_WIRE_TOKEN: [shared, next] }, shared],
      ['intake', rotation, shared],
      ['quota', each, null],
    ]
    for (const [self, config, token] of sent) assert.equal(peerSecurity(config, self).token, token, self)
    // A process does not accept its own token.
    assert.deepEqual(Object.keys(peerSecurity(each, 'intake').callers ?? {}), ['gateway'])
  })
})

describe('identity by certificate', () => {
  const security: PeerSecurity = { token: shared, identity: 'certificate' }
  const identified = (certificate: PeerCertificate | undefined, token = ''): string | null =>
    identifyBy(security, names)({ authorization: bearer(token), certificate: () => certificate })
  const subject = (CN: unknown) => ({ CN })
  const cases: [name: string, certificate: PeerCertificate, callers: string | null][] = [
    ['the short name', { subjectaltname: 'DNS:gateway' }, 'gateway'],
    ['the name with a release', { subjectaltname: 'DNS:mail-postrider-gateway' }, 'gateway'],
    ['a full name', { subjectaltname: 'DNS:postrider-intake.mail.svc.cluster.local' }, 'intake'],
    ['capital letters', { subjectaltname: 'DNS:Postrider-Gateway.Mail' }, 'gateway'],
    ['the second name', { subjectaltname: 'DNS:localhost, DNS:postrider-intake' }, 'intake'],
    ['both names', { subjectaltname: 'DNS:postrider-gateway, DNS:postrider-intake' }, 'gateway,intake'],
    ['the common name without other names', { subject: subject('gateway') }, 'gateway'],
    ['another service', { subjectaltname: 'DNS:postrider-quota' }, null],
    [
      'the common name in addition to other names',
      { subject: subject('gateway'), subjectaltname: 'DNS:elsewhere' },
      null,
    ],
    ['several common names', { subject: subject(['gateway', 'quota']) }, null],
    ['a name that only contains a service', { subjectaltname: 'DNS:gatewayish, DNS:notgateway' }, null],
    ['a service in a later label', { subjectaltname: 'DNS:evil.gateway' }, null],
    ['a quoted name', { subjectaltname: 'DNS:"gateway, DNS:gateway"' }, null],
    ['a wildcard', { subjectaltname: 'DNS:*-gateway' }, null],
    ['an address', { subjectaltname: 'IP Address:10.0.0.1, URI:spiffe://gateway' }, null],
  ]
  for (const [name, certificate, callers] of cases)
    it(`is ${callers ?? 'no caller'} for ${name}`, () => {
      assert.equal(identified({ subject: subject('x'), ...certificate }), callers)
    })

  // The authority of a Kubernetes cluster often signs for every program in it: the certificate of another program's
  // `api-gateway`, or of the gateway of another installation, gave all rights of the gateway.
  const own = 'DNS:postrider-quota, DNS:postrider-quota.mail, DNS:postrider-quota.mail.svc, DNS:localhost'
  const places: [name: string, own: string, caller: string, callers: string | null][] = [
    ['the same release', own, 'DNS:postrider-gateway', 'gateway'],
    ['the same release in the same namespace', own, 'DNS:Postrider-Gateway.Mail.svc.cluster.local', 'gateway'],
    ['another program', own, 'DNS:api-gateway.mail.svc', null],
    ['no release', own, 'DNS:gateway', null],
    ['another release', own, 'DNS:staging-postrider-gateway.mail.svc', null],
    ['the same release in another namespace', own, 'DNS:postrider-gateway.staging.svc', null],
    ['another namespace with its short form', own, 'DNS:postrider-gateway, DNS:postrider-gateway.staging.svc', null],
    ['a namespace that begins with the own one', own, 'DNS:postrider-gateway.mail2.svc', null],
    ['another service of another release', own, 'DNS:other-postrider-intake, DNS:postrider-gateway', 'gateway'],
    ['a short name where the own one is short', 'DNS:quota.mail', 'DNS:gateway.mail.svc', 'gateway'],
    ['a release where the own name has none', 'DNS:quota', 'DNS:postrider-gateway', null],
    ['any release where the own names do not have the service', 'DNS:localhost', 'DNS:api-gateway', 'gateway'],
    ['any release where the own name is a wildcard', 'DNS:*.mail.svc', 'DNS:postrider-gateway.mail.svc', 'gateway'],
  ]
  for (const [name, subjectaltname, caller, callers] of places)
    it(`is ${callers ?? 'no caller'} for a name of ${name}`, () => {
      const identify = identifyBy({ ...security, self: 'quota' }, names, { subjectaltname })
      const certificate = () => ({ subjectaltname: caller })
      assert.equal(identify({ authorization: undefined, certificate }), callers)
    })

  it('a token does not identify a caller where certificates do', () => {
    assert.equal(identified(undefined, shared), null)
  })
})
