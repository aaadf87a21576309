import assert from 'node:assert/strict'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { services, variablesOf } from '../../charts/gen/programs.ts'
import { nodeFlags } from '../cluster/member.ts'
import { skippedWhere } from './command.ts'
import { type Env, examples, ofKind, rendered, type Thing, the } from './manifests.ts'
import { configs, programsIn } from './programPods.ts'

/** Not ours: Node's and OpenTelemetry's, and what the latter is made with. */
const foreign = /^(OTEL_[A-Z_]+|NODE_EXTRA_CA_CERTS|POD_NAME)$/

/** Values that a Secret might hold. */
const secretValues: Record<string, string> = {
  MONGODB_URL: 'mongodb://user:password@mongodb/postrider',
  REDIS_URL: 'redis://redis:6379',
  POSTRIDER_WIRE_TOKEN: 'x'.repeat(32),
  POSTRIDER_SECRET: 'y'.repeat(32),
  POSTRIDER_OPERATOR_TOKEN: 'z'.repeat(16),
  POSTRIDER_ROUTE: 'smtp://user:password@relay.example.com:587',
  KAFKA_USERNAME: 'postrider',
  KAFKA_PASSWORD: 'password',
}

const valueIn = (things: readonly Thing[], program: string, variable: string, none?: Env): Env => {
  const { container } = programsIn(things).find(({ name }) => name === program) ?? assert.fail(program)
  return container.env.find(({ name }) => name === variable) ?? none ?? assert.fail(variable)
}

describe('what the chart gives to the programs', function environmentSuite() {
  this.timeout(60_000)
  skippedWhere(async () => whyNoHelm())

  it('runs every program there is, services as the tests do', () => {
    const commands = programsIn(rendered(null)).map(({ name, container }) => [name, container.command] as const)
    const expected = Object.keys(configs).map((name) => {
      const flags = name in services ? nodeFlags : []
      return [name, ['node', ...flags, `services/${name}/main.ts`]] as const
    })
    assert.deepEqual(new Map(commands), new Map<string, readonly string[]>(expected))
  })

  it('is variables that the program has, and a configuration that it takes', () => {
    for (const example of [null, ...examples]) {
      for (const { container, name, config } of programsIn(rendered(example))) {
        const names = container.env.map((variable) => variable.name).filter((variable) => !foreign.test(variable))
        const unknown = names.filter((variable) => !(variable in variablesOf(config)))
        assert.deepEqual(unknown, [], `${example}: ${name}`)
        assert.equal(new Set(names).size, names.length, `${example}: ${name} is given a variable twice`)
        const values = container.env.map(({ name: variable, value }) => [variable, value ?? secretValues[variable]])
        const { error } = config.safeParse(Object.fromEntries(values))
        assert.equal(error, undefined, `${example}: ${name}: ${error?.message}`)
      }
    }
  })

  it('has secrets by reference alone', () => {
    const pods = examples.flatMap((example) => programsIn(rendered(example)))
    const secrets = pods.flatMap(({ container }) => container.env).filter(({ name }) => name in secretValues)
    const written = secrets.filter(({ name, value }) => value !== undefined && name !== 'POSTRIDER_ROUTE')
    assert.deepEqual(written, [])
    assert.ok(secrets.length > 0)
    assert.deepEqual(ofKind(rendered('production'), 'Secret'), [])
  })

  it('finds every key of a Secret that the chart makes', () => {
    const things = rendered('one-namespace')
    for (const { container, name } of programsIn(things)) {
      for (const { valueFrom } of container.env) {
        if (!valueFrom?.secretKeyRef) continue
        const { name: secret, key } = valueFrom.secretKeyRef
        assert.ok(the(things, 'Secret', secret).stringData?.[key], `${name}: ${secret} has no ${key}`)
      }
    }
  })

  it('is large numbers in digits, and broken ones whole', () => {
    // As from a file: helm reads every number in one as a float.
    const given = ['config.POSTRIDER_MAX_QUEUED=5000000', 'config.POSTRIDER_MAX_BODY_MIB=7.5']
    const things = rendered('production', '--set-json', given.join(','))
    assert.equal(valueIn(things, 'intake', 'POSTRIDER_MAX_QUEUED').value, '5000000')
    assert.equal(valueIn(things, 'gateway', 'POSTRIDER_MAX_BODY_MIB').value, '7.5')
  })

  it('is the route of the Secret, unless the dispatcher is told another in so many words', () => {
    const route = (...given: string[]) =>
      valueIn(rendered('production', ...given), 'dispatcher', 'POSTRIDER_ROUTE', { name: 'POSTRIDER_ROUTE' })
    const key = 'secrets.variables.POSTRIDER_ROUTE.key='
    assert.equal(route().valueFrom?.secretKeyRef?.key, 'route')
    // As when a restore is tried: nothing may leave.
    const drill = { name: 'POSTRIDER_ROUTE', value: 'mailbox:' }
    assert.deepEqual(route('--set', 'dispatcher.config.POSTRIDER_ROUTE=mailbox:'), drill)
    assert.deepEqual(route('--set', key, '--set', 'config.POSTRIDER_ROUTE=mailbox:'), drill)
    assert.deepEqual(route('--set', key), { name: 'POSTRIDER_ROUTE' })
  })

  it('is files for mutual TLS where it says there are, for those who speak it', () => {
    for (const { container, name, config } of programsIn(rendered('production'))) {
      const speaks = 'POSTRIDER_WIRE_CA' in variablesOf(config)
      const mount = container.volumeMounts?.find((one) => one.name === 'wire')
      assert.equal(mount !== undefined, speaks, name)
      const files = container.env.filter((one) => /^POSTRIDER_WIRE_(CA|CERT|KEY)$/.test(one.name))
      assert.equal(files.length, speaks ? 3 : 0)
      for (const { value } of files) assert.ok(value?.startsWith(`${mount?.mountPath}/`))
    }
  })

  it('lets a block of one service win over the defaults, also with false, and over shared configuration', () => {
    const given = ['quota.autoscaling.enabled=false', 'quota.replicas=3', 'quota.config.LOG_LEVEL=debug']
    const things = rendered(null, '--set', given.join(','))
    assert.equal(the(things, 'Deployment', 'postrider-quota').spec?.['replicas'], 3)
    assert.equal(
      things.filter(({ kind }) => kind === 'HorizontalPodAutoscaler').length,
      Object.keys(services).length - 1,
    )
    const levels = programsIn(things).map(({ name, container }) => [
      name,
      container.env.find((one) => one.name === 'LOG_LEVEL')?.value,
    ])
    assert.deepEqual(Object.fromEntries(levels.filter(([, level]) => level)), { quota: 'debug' })
  })

  it('rolls the pods that a change concerns, and no others', () => {
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
