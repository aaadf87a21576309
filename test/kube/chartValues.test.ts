import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { type Case, refusalsOf, rendersOf } from './caseChart.ts'
import { skipSuiteIf } from './command.ts'
import { chart, renderedText } from './manifests.ts'

describe('values of the chart', function valuesSuite() {
  skipSuiteIf(async () => whyNoHelm())

  const refused: Case[] = []
  const accepted: Case[] = []
  let refusals: string[] = []
  let renders: ReturnType<typeof rendersOf> = []
  before(() => {
    refusals = refusalsOf(refused)
    renders = rendersOf(accepted)
  })
  /** Declares a case. @returns reads why the chart refuses it */
  const refusalOf = (one: Case): (() => string) => {
    const index = refused.push(one) - 1
    return () => refusals[index] ?? ''
  }
  /** Declares a case with which all objects can be rendered. @returns asserts that the chart accepts it */
  const accepts = (one: Case): (() => void) => {
    const index = accepted.push(one) - 1
    return () => assert.equal(renders[index]?.faults, '')
  }

  const invalid: Record<string, RegExp> = {
    'gatway.replicas=2': /additional properties 'gatway' not allowed/,
    'gateway.replica=2': /'\/gateway'.*'replica' not allowed/,
    'gateway.replicas=two': /'\/gateway\/replicas': got string, want integer/,
    'config.KAFKA_BROKER=kafka:9092': /'\/config': additional properties 'KAFKA_BROKER' not allowed/,
    'accounts.config.KAFKA_BROKERS=kafka:9092':
      /'\/accounts\/config': additional properties 'KAFKA_BROKERS' not allowed/,
    'config.LOG_LEVEL=loud': /'\/config\/LOG_LEVEL': value must be one of 'trace'/,
    'config.POSTRIDER_SEND_RATE=fast': /'\/config\/POSTRIDER_SEND_RATE'/,
    'config.POSTRIDER_MAX_MESSAGE_MIB=100': /maximum: got 100, want 40/,
    'config.KAFKA_BROKERS=': /requires KAFKA_BROKERS: set config\.KAFKA_BROKERS, or/,
    'config.POSTRIDER_PUBLIC_URL=': /gateway requires POSTRIDER_PUBLIC_URL: set config\.POSTRIDER_PUBLIC_URL, or/,
    'config.POSTRIDER_ROUTE=relay:25': /config\.POSTRIDER_ROUTE must begin with mailbox: or smtp:\/\/ or smtps:\/\/\./,
    'dispatcher.config.POSTRIDER_ROUTE=mx:': /dispatcher\.config\.POSTRIDER_ROUTE must begin with/,
    'config.KAFKA_SASL=plain':
      /has KAFKA_SASL without KAFKA_PASSWORD: set secrets\.variables\.KAFKA_PASSWORD\.key, or add it to extraEnv/,
    'config.KAFKA_SASL=plain,secrets.variables.KAFKA_PASSWORD.key=password':
      /without KAFKA_USERNAME: set secrets\.variables\.KAFKA_USERNAME\.key/,
    'secrets.variables.KAFKA_USERNAME.key=user,secrets.variables.KAFKA_PASSWORD.key=password':
      /without KAFKA_SASL: set config\.KAFKA_SASL, or/,
    'secrets.create=true,secrets.existingSecret=mine':
      /secrets\.existingSecret names an existing one, mine: set only one of the two/,
    'config.PORT=80': /additional properties 'PORT' not allowed/,
    'secrets.create=true':
      /secrets\.create would create a Secret without MONGODB_URL: set secrets\.values\.MONGODB_URL\./,
    'secrets.values.POSTRIDER_WIRE_TOKEN=short': /minLength: got 5, want 32/,
    'ingress.enabled=true': /'\/ingress\/hosts': minItems/,
    'gatewayApi.enabled=true': /'\/gatewayApi\/parentRefs': minItems/,
    'image.digest=latest': /'\/image\/digest'/,
    'dispatcher.keda.signal=moon': /value must be one of 'queueAge', 'kafkaLag'/,
    'defaults.autoscaling.cpu=600': /'\/defaults\/autoscaling\/cpu'/,
    'gateway.keda.enabled=true': /'\/gateway': additional properties 'keda' not allowed/,
    'defaults.resources.limits.cpus=1': /additional properties 'cpus' not allowed/,
  }

  const contradictory: Record<string, RegExp> = {
    'quota.autoscaling.minReplicas=11':
      /quota\.autoscaling: minReplicas is 11 and maxReplicas is 10; minReplicas must not exceed/,
    'defaults.autoscaling.enabled=false,dispatcher.keda.enabled=true,dispatcher.autoscaling.maxReplicas=1':
      /dispatcher\.autoscaling: minReplicas is 2 and maxReplicas is 1/,
    'secrets.existingSecret=mine': /secrets\.existingSecret names an existing one, mine: set only one of the two/,
    'secrets.variables.KAFKA_PASSWORD.key=password':
      /secrets\.create would create a Secret without KAFKA_PASSWORD: set secrets\.values\.KAFKA_PASSWORD/,
    'secrets.create=true,secrets.values.POSTRIDER_ROUTE=smtp://a:b@c':
      /secrets\.values\.POSTRIDER_ROUTE has no key in the Secret: set secrets\.variables\.POSTRIDER_ROUTE\.key/,
    'secrets.create=false': /secrets\.values are only used if secrets\.create is true/,
    'secrets.variables.POSTRIDER_ROUTE.key=route':
      /The mail route is set twice, by config\.POSTRIDER_ROUTE and by the Secret/,
    'dispatcher.keda.enabled=true,dispatcher.keda.signal=kafkaLag,config.KAFKA_SASL=plain,defaults.extraEnv[0].name=KAFKA_USERNAME,defaults.extraEnv[1].name=KAFKA_PASSWORD':
      /dispatcher\.keda queries Kafka with the login of KAFKA_SASL: set secrets\.variables\.KAFKA_USERNAME\.key/,
  }

  // The example one-namespace creates the Secret and has a mail route without a login.
  for (const [given, message] of Object.entries(contradictory)) {
    const refusal = refusalOf({ example: 'one-namespace', set: ['defaults.autoscaling.enabled=true', given] })
    it(`refuses ${given}, which contradicts other values`, () => assert.match(refusal(), message))
  }

  for (const variable of ['MONGODB_URL', 'REDIS_URL', 'POSTRIDER_WIRE_TOKEN', 'POSTRIDER_SECRET']) {
    const noKey = `secrets.variables.${variable}.key=`
    const refusal = refusalOf({ set: [noKey] })
    it(`requires a key of a Secret for ${variable} unless extraEnv sets it`, () => {
      assert.match(refusal(), new RegExp(`requires ${variable}: set secrets\\.variables\\.${variable}\\.key`))
      renderedText(
        null,
        '--set',
        noKey,
        '--set',
        `defaults.extraEnv[0].name=${variable},defaults.extraEnv[0].value=${'given'.repeat(7)}`,
      )
    })
  }

  // A dispatcher starts without it, and would not send the mail of any sending domain.
  it('requires the master key for the dispatcher too', () => {
    const given = ['gateway', 'domains', 'webhooks'].map(
      (name) => `${name}.extraEnv[0].name=POSTRIDER_SECRET,${name}.extraEnv[0].value=${'given'.repeat(7)}`,
    )
    const [refusal = ''] = refusalsOf([{ set: ['secrets.variables.POSTRIDER_SECRET.key=', ...given] }])
    assert.match(refusal, /dispatcher requires POSTRIDER_SECRET: set secrets\.variables\.POSTRIDER_SECRET\.key/)
    assert.doesNotMatch(refusal, /(gateway|domains) requires/)
  })

  // Links and cookies follow the public URL, so users would be sent to http.
  const withTls = 'ingress.enabled=true,ingress.hosts[0]=mail.example.com,config.POSTRIDER_TRUSTED_PROXIES=10.0.0.0/8'
  const url = (text: string): string => `config.POSTRIDER_PUBLIC_URL=${text}`
  const annotation = (name: string, value: string): string =>
    `ingress.annotations.${name.replaceAll('.', '\\.')}=${value}`
  const ofService = (name: string, value: string): string =>
    `gateway.service.annotations.${name.replaceAll('.', '\\.')}=${value}`
  const certificateOf = (name: string): string => ofService(`service.beta.kubernetes.io/${name}`, 'certificate')
  const linodePort = 'service.beta.kubernetes.io/linode-loadbalancer-port-443'
  const gateway = (field: string): string =>
    `ingress.enabled=false,gatewayApi.enabled=true,gatewayApi.parentRefs[0].name=public,gatewayApi.parentRefs[0].${field}`
  const publicUrls: [given: string[], isRefused: boolean][] = [
    [['ingress.tlsSecret=cert', url('http://mail.example.com')], true],
    [['ingress.tlsSecret=cert', url('HTTP://mail.example.com')], true],
    [['ingress.tlsSecret=cert', 'gateway.config.POSTRIDER_PUBLIC_URL=http://mail.example.com'], true],
    [['ingress.tlsSecret=cert', 'defaults.config.POSTRIDER_PUBLIC_URL=http://mail.example.com'], true],
    [
      ['ingress.tlsSecret=cert', `${url('https://mail.example.com')},gateway.config.POSTRIDER_PUBLIC_URL=http://a`],
      true,
    ],
    [
      [
        'ingress.tlsSecret=cert',
        url('https://mail.example.com'),
        'gateway.extraEnv[0].name=POSTRIDER_PUBLIC_URL,gateway.extraEnv[0].value=http://a',
      ],
      true,
    ],
    [[annotation('alb.ingress.kubernetes.io/certificate-arn', 'arn'), url('http://a')], true],
    // Accounts makes the links in emails. It was not checked.
    ...[
      'accounts.config.POSTRIDER_PUBLIC_URL=',
      'accounts.extraEnv[0].name=POSTRIDER_PUBLIC_URL,accounts.extraEnv[0].value=',
    ].map((given): [string[], boolean] => [
      ['ingress.tlsSecret=cert', url('https://mail.example.com'), `${given}http://mail.example.com`],
      true,
    ]),
    [[annotation('haproxy.org/ssl-redirect', 'yes')], true],
    [[annotation('ingress.kubernetes.io/force-ssl-redirect', 'true')], true],
    [[annotation('haproxy-ingress.github.io/ssl-redirect', 'true')], true],
    [[annotation('ingress.kubernetes.io/ssl-redirect', 'False'), url('http://mail.example.com')], false],
    [[annotation('traefik.ingress.kubernetes.io/router.tls', 'true')], true],
    [[annotation('traefik.ingress.kubernetes.io/router.tls', 'false'), url('http://mail.example.com')], false],
    [[annotation('traefik.ingress.kubernetes.io/router.tls.certresolver', 'le')], true],
    [[annotation('traefik.ingress.kubernetes.io/router.tls.domains.0.main', 'mail.example.com')], true],
    [[annotation('konghq.com/protocols', 'https')], true],
    [[annotation('konghq.com/protocols', 'http'), url('http://mail.example.com')], false],
    [[annotation('kubernetes.azure.com/tls-cert-keyvault-uri', 'uri')], true],
    [[annotation('kubernetes.io/ingress.class', 'tailscale')], true],
    [['ingress.className=tailscale', url('http://mail.example.com')], true],
    // Regression: these were accepted. These controllers serve HTTPS without a Secret.
    [['ingress.className=ngrok', url('http://mail.example.com')], true],
    [['ingress.className=cloudflare-tunnel', url('http://mail.example.com')], true],
    [['ingress.className=pomerium', url('http://mail.example.com')], true],
    [[annotation('kubernetes.io/ingress.class', 'ngrok')], true],
    [[annotation('konghq.com/https-redirect-status-code', '308')], true],
    [[annotation('haproxy.org/ssl-certificate', 'default/cert')], true],
    // Regression: these were accepted: APISIX and Cilium redirect to HTTPS, and a controller for AWS has its
    // certificate here.
    [[annotation('k8s.apisix.apache.org/http-to-https', 'true')], true],
    [[annotation('ingress.cilium.io/force-https', 'enabled')], true],
    [[annotation('zalando.org/aws-load-balancer-ssl-cert', 'arn')], true],
    [['gateway.service.type=LoadBalancer', certificateOf('aws-load-balancer-ssl-cert'), url('http://a')], true],
    [['gateway.service.type=LoadBalancer', certificateOf('do-loadbalancer-certificate-id'), url('http://a')], true],
    // Regression: the names of three providers were known.
    ...[
      'service.beta.kubernetes.io/do-loadbalancer-certificate-name',
      'service.beta.kubernetes.io/scw-loadbalancer-certificate-ids',
      'service.beta.kubernetes.io/vultr-loadbalancer-ssl',
      'service.beta.kubernetes.io/alibaba-cloud-loadbalancer-cert-id',
      'loadbalancer.openstack.org/default-tls-container-ref',
      'load-balancer.hetzner.cloud/http-certificates',
      'load-balancer.hetzner.cloud/http-managed-certificate-domains',
    ].map((name): [string[], boolean] => [
      ['gateway.service.type=LoadBalancer', ofService(name, 'x'), url('http://a')],
      true,
    ]),
    [['gateway.service.type=LoadBalancer', ofService(linodePort, '"tls-secret-name": "a"'), url('http://a')], true],
    [
      ['gateway.service.type=LoadBalancer', ofService(linodePort, '"protocol": "tcp"'), url('http://mail.example.com')],
      false,
    ],
    [
      [
        'gateway.service.type=LoadBalancer',
        certificateOf('aws-load-balancer-ssl-cert'),
        url('https://mail.example.com'),
      ],
      false,
    ],
    [['gateway.service.type=LoadBalancer', url('http://mail.example.com')], false],
    [['ingress.className=nginx', url('http://mail.example.com')], false],
    [[annotation('route.openshift.io/termination', 'edge')], true],
    [[annotation('traefik.ingress.kubernetes.io/router.entrypoints', 'websecure')], true],
    [[annotation('traefik.ingress.kubernetes.io/router.entrypoints', 'web'), url('http://mail.example.com')], false],
    [[annotation('haproxy.org/ssl-redirect', ''), url('http://mail.example.com')], false],
    [['ingress.tlsSecret=cert', url('https://mail.example.com')], false],
    [[url('http://mail.example.com')], false],
    [['ingress.tlsSecret=cert', 'ingress.enabled=false', url('http://mail.example.com')], false],
    [[gateway('port=443'), url('http://mail.example.com')], true],
    [[gateway('sectionName=https'), url('http://mail.example.com')], true],
    [[gateway('sectionName=public-https'), url('http://mail.example.com')], true],
    [[gateway('port=8443'), url('http://mail.example.com')], true],
    [[gateway('sectionName=websecure'), url('http://mail.example.com')], true],
    [[gateway('sectionName=public-ssl'), url('http://mail.example.com')], true],
    [[gateway('sectionName=insecure'), url('http://mail.example.com')], false],
    [[gateway('sectionName=https'), 'gatewayApi.enabled=false', url('http://mail.example.com')], false],
    [[gateway('sectionName=https'), url('https://mail.example.com')], false],
    [[gateway('sectionName=http'), url('http://mail.example.com')], false],
    [[gateway('port=80'), url('http://mail.example.com')], false],
  ]
  const isText = (one: string): boolean => one.startsWith('ingress.annotations')
  for (const [given, isRefused] of publicUrls) {
    const what = `an entry to the gateway with ${given.join(' and ')}`
    const [set, setString] = [[withTls, ...given.filter((one) => !isText(one))], given.filter(isText)]
    if (isRefused) {
      const refusal = refusalOf({ set, setString })
      it(`refuses ${what}`, () =>
        assert.match(refusal(), /serves TLS, and the public URL in \S+ begins with http:\/\//))
    } else it(`accepts ${what}`, accepts({ set, setString }))
  }

  // Without a warning, users would log in under one URL and get emails with links to another.
  const others: [given: string, at: string | null][] = [
    ['accounts.config.POSTRIDER_PUBLIC_URL=https://other.example.com', 'accounts.config.POSTRIDER_PUBLIC_URL'],
    [
      'accounts.extraEnv[0].name=POSTRIDER_PUBLIC_URL,accounts.extraEnv[0].value=https://mail.example.com:8443',
      'accounts.extraEnv[0]',
    ],
    ['accounts.config.POSTRIDER_PUBLIC_URL=HTTPS://MAIL.example.com:443/', null],
    ['accounts.extraEnv[0].name=POSTRIDER_PUBLIC_URL,accounts.extraEnv[0].valueFrom.fieldRef.fieldPath=a', null],
  ]
  for (const [given, at] of others) {
    const what = `the public URL of accounts next to that of the gateway: ${given}`
    const one = { set: [url('https://mail.example.com'), given] }
    if (at === null) it(`accepts ${what}`, accepts(one))
    else {
      const refusal = refusalOf(one)
      const message = `${at} and config.POSTRIDER_PUBLIC_URL are different public URLs: set them to the one`
      it(`refuses ${what}`, () => assert.ok(refusal().includes(message), refusal()))
    }
  }

  const long = 'x'.repeat(32)
  const created = ['MONGODB_URL=mongodb://m', 'REDIS_URL=redis://r', `POSTRIDER_SECRET=${long}`]
  const token = (name: string): string => `secrets.values.POSTRIDER_WIRE_TOKEN${name}=${long}`
  const needed = /without the token of each caller: set secrets\.values\.POSTRIDER_WIRE_TOKEN_GATEWAY, /
  const identities: [given: string[], message: RegExp | null][] = [
    [['wire.identity=certificate'], /set wire\.tlsSecrets\.accounts to a Secret that no other service uses/],
    [['wire.identity=certificate', 'wire.tlsSecret=all'], /set wire\.tlsSecrets\.gateway to a Secret/],
    [['wire.identity=name'], /'\/wire\/identity': value must be one of 'token', 'certificate'/],
    [['wire.tlsSecrets.dispatcher=x'], /'\/wire\/tlsSecrets'.*'dispatcher' not allowed/],
    [[], needed],
    [[token('_GATEWAY')], needed],
    [[token('_GATEWAY'), token('')], needed],
    [[token('_GATEWAY'), token('_INTAKE')], needed],
    [[token('_GATEWAY'), token('_INTAKE'), token('_ACCOUNTS')], null],
    [[token('')], null],
  ]
  for (const [given, message] of identities) {
    const what = `${given.join(' and ') || 'no token'} as the identity of callers`
    const one = { set: ['secrets.create=true', ...created.map((one) => `secrets.values.${one}`), ...given] }
    if (message === null) it(`accepts ${what}`, accepts(one))
    else {
      const refusal = refusalOf(one)
      it(`refuses ${what}`, () => assert.match(refusal(), message))
    }
  }

  // The message appears on terminals and in deployment logs.
  const passwords: Record<string, RegExp> = {
    'config.POSTRIDER_ROUTE=smtp://user:hunter2@relay:587':
      /^config\.POSTRIDER_ROUTE contains a login: store it in a Secret, .* secrets\.variables\.POSTRIDER_ROUTE\.key/m,
    'dispatcher.config.POSTRIDER_ROUTE=smtp://user:hunter2@relay':
      /dispatcher\.config\.POSTRIDER_ROUTE contains a login/,
    'config.MONGODB_URL=mongodb://user:hunter2@mongodb':
      /^config\.MONGODB_URL is a secret: store it in a Secret, .* secrets\.variables\.MONGODB_URL\.key/m,
    'defaults.config.KAFKA_PASSWORD=hunter2': /defaults\.config\.KAFKA_PASSWORD is a secret/,
    'gateway.config.REDIS_URL=redis://:hunter2@redis': /gateway\.config\.REDIS_URL is a secret/,
    'secrets.create=true,secrets.values.MONGODB_URL=mysql://user:hunter2@mysql':
      /secrets\.values\.MONGODB_URL must begin with mongodb:\/\/ or mongodb\+srv:\/\/\./,
    'secrets.create=true,secrets.values.REDIS_URL=user:hunter2@redis':
      /secrets\.values\.REDIS_URL must begin with redis:/,
  }

  for (const [given, message] of Object.entries(passwords)) {
    const refusal = refusalOf({ set: [given] })
    it(`refuses ${given} without repeating the password`, () => {
      assert.match(refusal(), message)
      assert.ok(!refusal().includes('hunter2'))
    })
  }

  it('refuses a release name that is no valid name of a Service', () => {
    assert.throws(() => renderedText(null, '--name-template', '1mail'), /begin with a letter.*set fullnameOverride/)
  })

  for (const [given, message] of Object.entries(invalid)) {
    const refusal = refusalOf({ set: [given] })
    it(`refuses ${given} and names the value`, () => assert.match(refusal(), message))
  }

  it('the schema refuses unknown keys except in values passed to Kubernetes', () => {
    const open: string[] = []
    const visit = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return
      const { type, additionalProperties, properties } = schema as Record<string, unknown>
      if (type === 'object' && properties !== undefined && additionalProperties !== false) open.push(path)
      for (const [key, inner] of Object.entries(schema)) visit(inner, `${path}/${key}`)
    }
    const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'))
    visit(schema, '')
    assert.deepEqual(open, [])
    assert.equal(schema.additionalProperties, false)
  })
})
