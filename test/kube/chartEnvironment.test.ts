import assert from 'node:assert/strict'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { services, variablesOf } from '../../charts/gen/programs.ts'
import { nodeFlags } from '../cluster/member.ts'
import { skipSuiteIf } from './command.ts'
import { configs, type Env, examples, type KubeObject, objectNamed, ofKind, programsIn, rendered } from './manifests.ts'

/** Variables that Node and OpenTelemetry read, and one to which their values refer. */
const foreign = /^(OTEL_[A-Z_]+|NODE_EXTRA_CA_CERTS|POD_NAME)$/

/** Values that a Secret could contain. */
const secretValues: Record<string, string> = {
  MONGODB_URL: 'mongodb://user:password@mongodb/postrider',
  REDIS_URL: 'redis://redis:6379',
  POSTRIDER_WIRE_TOKEN: 'x'.repeat(32),
  POSTRIDER_WIRE_TOKEN_GATEWAY: 'g'.repeat(32),
  POSTRIDER_WIRE_TOKEN_INTAKE: 'i'.repeat(32),
  POSTRIDER_WIRE_TOKEN_ACCOUNTS: 'a'.repeat(32),
  POSTRIDER_SECRET: 'y'.repeat(32),
  POSTRIDER_OPERATOR_TOKEN: 'z'.repeat(16),
  POSTRIDER_ROUTE: 'smtp://user:password@relay.example.com:587',
  KAFKA_USERNAME: 'postrider',
  KAFKA_PASSWORD: 'password',
}

const valueIn = (objects: readonly KubeObject[], program: string, variable: string, none?: Env): Env => {
  const { container } = programsIn(objects).find(({ name }) => name === program) ?? assert.fail(program)
  return container.env.find(({ name }) => name === variable) ?? none ?? assert.fail(variable)
}

describe('environment of the chart’s programs', function environmentSuite() {
  skipSuiteIf(async () => whyNoHelm())

  it('runs every program, services with the flags that tests use and half of their memory limit as heap', () => {
    const commands = programsIn(rendered(null)).map(({ name, container }) => [name, container.command] as const)
    const expected = Object.keys(configs).map((name) => {
      const heap = { gateway: 384, dispatcher: 384 }[name] ?? 256
      const flags = name in services ? [...nodeFlags, `--max-old-space-size=${heap}`] : []
      return [name, ['node', ...flags, `services/${name}/main.ts`]] as const
    })
    assert.deepEqual(new Map(commands), new Map<string, readonly string[]>(expected))
  })

  it('passes only variables that the program has, with valid values', () => {
    for (const example of [null, ...examples]) {
      for (const { container, name, config } of programsIn(rendered(example))) {
        const names = container.env.map((variable) => variable.name).filter((variable) => !foreign.test(variable))
        const unknown = names.filter((variable) => !(variable in variablesOf(config)))
        assert.deepEqual(unknown, [], `${example}: ${name}`)
        assert.equal(new Set(names).size, names.length, `${example}: ${name} has a variable twice`)
        const values = container.env.map(({ name: variable, value }) => [variable, value ?? secretValues[variable]])
        const { error } = config.safeParse(Object.fromEntries(values))
        assert.equal(error, undefined, `${example}: ${name}: ${error?.message}`)
      }
    }
  })

  it('passes secrets only as references', () => {
    const pods = examples.flatMap((example) => programsIn(rendered(example)))
    const secrets = pods.flatMap(({ container }) => container.env).filter(({ name }) => name in secretValues)
    const written = secrets.filter(({ name, value }) => value !== undefined && name !== 'POSTRIDER_ROUTE')
    assert.deepEqual(written, [])
    assert.ok(secrets.length > 0)
    assert.deepEqual(ofKind(rendered('production'), 'Secret'), [])
  })

  it('refers only to existing keys of the Secret that the chart creates', () => {
    const objects = rendered('one-namespace')
    for (const { container, name } of programsIn(objects)) {
      for (const { valueFrom } of container.env) {
        if (!valueFrom?.secretKeyRef) continue
        const { name: secret, key } = valueFrom.secretKeyRef
        assert.ok(objectNamed(objects, 'Secret', secret).stringData?.[key], `${name}: ${secret} has no ${key}`)
      }
    }
  })

  it('passes large numbers as digits, and all decimals of fractions', () => {
    // JSON, as in a file: helm reads every number in a file as a float.
    const given = ['config.POSTRIDER_MAX_QUEUED=5000000', 'config.POSTRIDER_MAX_BODY_MIB=7.5']
    const objects = rendered('production', '--set-json', given.join(','))
    assert.equal(valueIn(objects, 'intake', 'POSTRIDER_MAX_QUEUED').value, '5000000')
    assert.equal(valueIn(objects, 'gateway', 'POSTRIDER_MAX_BODY_MIB').value, '7.5')
  })

  it('passes the mail route of the Secret unless the configuration of the dispatcher sets another', () => {
    const route = (...given: string[]) =>
      valueIn(rendered('production', ...given), 'dispatcher', 'POSTRIDER_ROUTE', { name: 'POSTRIDER_ROUTE' })
    const key = 'secrets.variables.POSTRIDER_ROUTE.key='
    assert.equal(route().valueFrom?.secretKeyRef?.key, 'route')
    // A trial restore sets this, so that no mail leaves.
    const drill = { name: 'POSTRIDER_ROUTE', value: 'mailbox:' }
    assert.deepEqual(route('--set', 'dispatcher.config.POSTRIDER_ROUTE=mailbox:'), drill)
    assert.deepEqual(route('--set', key, '--set', 'config.POSTRIDER_ROUTE=mailbox:'), drill)
    assert.deepEqual(route('--set', key), { name: 'POSTRIDER_ROUTE' })
  })

  it('passes paths of mounted TLS files to each program that uses gRPC', () => {
    for (const { container, name, config } of programsIn(rendered('production'))) {
      const usesGrpc = 'POSTRIDER_WIRE_CA' in variablesOf(config)
      const mount = container.volumeMounts?.find((one) => one.name === 'wire')
      assert.equal(mount !== undefined, usesGrpc, name)
      const files = container.env.filter((one) => /^POSTRIDER_WIRE_(CA|CERT|KEY)$/.test(one.name))
      assert.equal(files.length, usesGrpc ? 3 : 0)
      for (const { value } of files) assert.ok(value?.startsWith(`${mount?.mountPath}/`))
    }
  })

  it('passes to each program only the wire tokens of itself and of its callers, and starts without a shared one', () => {
    for (const example of [null, 'one-namespace', 'production'] as const) {
      for (const { container, name } of programsIn(rendered(example))) {
        const own = container.env.filter((one) => /^POSTRIDER_WIRE_TOKEN_/.test(one.name))
        const expected = {
          gateway: ['GATEWAY'],
          accounts: ['GATEWAY', 'ACCOUNTS'],
          intake: ['GATEWAY', 'INTAKE', 'ACCOUNTS'],
          domains: ['GATEWAY'],
          webhooks: ['GATEWAY'],
          dispatcher: [],
          prepare: [],
        }[name]
        const names = own.map((one) => one.name.replace('POSTRIDER_WIRE_TOKEN_', ''))
        assert.deepEqual(names, expected ?? ['GATEWAY', 'INTAKE'], `${example}: ${name}`)
        const keys = own.map(({ valueFrom }) => valueFrom?.secretKeyRef?.key)
        assert.equal(new Set(keys).size, keys.length)
        const tokens = container.env.filter((one) => /^POSTRIDER_WIRE_TOKEN/.test(one.name))
        // The Secret of an earlier release has only the shared token.
        for (const { valueFrom } of tokens) assert.equal(valueFrom?.secretKeyRef?.optional, true)
      }
    }
  })

  it('passes the master key to the programs that sign or encrypt, and to no other', () => {
    for (const example of examples) {
      const having = programsIn(rendered(example)).filter(({ container }) =>
        container.env.some((one) => one.name === 'POSTRIDER_SECRET' && one.valueFrom?.secretKeyRef !== undefined),
      )
      assert.deepEqual(
        having.map(({ name }) => name).toSorted(),
        ['accounts', 'dispatcher', 'domains', 'gateway', 'webhooks'],
        example,
      )
    }
  })

  it('passes settings of sending domains to each program that reads them', () => {
    const given = ['BOUNCE_DOMAIN=bounces.example.com', 'DKIM_ROTATION_DAYS=365', 'MAX_DOMAINS=7', 'DNS=10.0.0.53:53']
    const programs = programsIn(rendered(null, '--set', given.map((one) => `config.POSTRIDER_${one}`).join(',')))
    const readers = (variable: string) =>
      programs.flatMap(({ name, container }) => (container.env.some((one) => one.name === variable) ? [name] : []))
    assert.deepEqual(readers('POSTRIDER_BOUNCE_DOMAIN').toSorted(), ['domains', 'intake'])
    assert.deepEqual(readers('POSTRIDER_DNS').toSorted(), ['domains', 'webhooks'])
    for (const variable of ['POSTRIDER_DKIM_ROTATION_DAYS', 'POSTRIDER_MAX_DOMAINS'])
      assert.deepEqual(readers(variable), ['domains'], variable)
  })

  it('mounts the certificate of each service if it identifies the callers', () => {
    const objects = rendered('production')
    const secrets = programsIn(objects).flatMap(({ pod }) =>
      (pod.spec.volumes ?? []).flatMap(({ name, secret }) =>
        name === 'wire' ? [(secret as { secretName: string }).secretName] : [],
      ),
    )
    assert.equal(secrets.length, 7)
    assert.equal(new Set(secrets).size, 7)
    assert.equal(valueIn(objects, 'quota', 'POSTRIDER_WIRE_IDENTITY').value, 'certificate')
  })

  it('prefers values of one service to defaults, including false, and to shared configuration', () => {
    const given = ['quota.autoscaling.enabled=false', 'quota.replicas=3', 'quota.config.LOG_LEVEL=debug']
    const objects = rendered(null, '--set', given.join(','))
    assert.equal(objectNamed(objects, 'Deployment', 'postrider-quota').spec?.['replicas'], 3)
    assert.equal(
      objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler').length,
      Object.keys(services).length - 1,
    )
    const levels = programsIn(objects).map(({ name, container }) => [
      name,
      container.env.find((one) => one.name === 'LOG_LEVEL')?.value,
    ])
    assert.deepEqual(Object.fromEntries(levels.filter(([, level]) => level)), { quota: 'debug' })
  })

  it('changes only the pods that a changed value affects', () => {
    const sums = (...given: string[]) =>
      Object.fromEntries(
        programsIn(rendered('one-namespace', ...given)).map(({ name, pod }) => [name, JSON.stringify(pod.annotations)]),
      )
    const [before, signup, secret] = [
      sums(),
      sums('--set', 'config.POSTRIDER_SIGNUP=off'),
      sums('--set', 'secrets.values.REDIS_URL=redis://elsewhere'),
    ]
    const changed = (after: Record<string, string>) =>
      Object.keys(services).filter((name) => before[name] !== after[name])
    assert.deepEqual(changed(signup), ['accounts'])
    assert.deepEqual(changed(secret), Object.keys(services))
  })
})
