import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { checkWebhookUrl, webhookRules } from '@postrider/domain/webhooks/url.ts'
import { whyNoHelm } from '../../charts/gen/helm.ts'
import { Config as Webhooks } from '../../services/webhooks/config.ts'
import { skipSuiteIf } from './command.ts'
import { documentedCommands, pipeline } from './documentedCommands.ts'
import { podsIn, rendered } from './manifests.ts'

/** Returns the arguments that docs/operations/backup.md adds to an operator's values for a trial restore. */
const trialArguments = (): string[] => {
  const lines = documentedCommands(readFileSync('docs/operations/backup.md', 'utf8')).filter((line) =>
    line.startsWith('helm -n trial'),
  )
  const [command = ''] = pipeline(lines.join())
  return command.split('… ').at(1)?.trim().split(/\s+/) ?? []
}

/** Returns the values of a variable in all programs. */
const valuesOf = (variable: string, ...given: string[]): unknown[] =>
  podsIn(rendered('production', ...given))
    .flatMap(({ spec }) => spec.containers)
    .flatMap(({ env }) => env ?? [])
    .flatMap(({ name, value, valueFrom }) => (name === variable ? [value ?? valueFrom] : []))

describe('trial restore next to production', function trialSuite() {
  skipSuiteIf(async () => whyNoHelm())

  it('a trial restore sends no mail, whether the mail route is a key of a Secret or set for dispatchers only', () => {
    assert.deepEqual(valuesOf('POSTRIDER_ROUTE'), [{ secretKeyRef: { name: 'postrider-production', key: 'route' } }])
    // Regression: the Secret took precedence without an error, and mail was sent.
    assert.throws(
      () => valuesOf('POSTRIDER_ROUTE', '--set', 'config.POSTRIDER_ROUTE=mailbox:'),
      /set only one of the two/,
    )
    const own = ['--set', 'dispatcher.config.POSTRIDER_ROUTE=smtp://relay:25']
    for (const given of [[], own])
      assert.deepEqual(valuesOf('POSTRIDER_ROUTE', ...given, ...trialArguments()), ['mailbox:'])
  })

  it('a trial restore sends no webhook and charges no card', () => {
    // Regression: the trial sent deliveries that waited in the backup, and charged invoices of months that it closed.
    const stripe = ['POSTRIDER_STRIPE_SECRET_KEY', 'POSTRIDER_STRIPE_WEBHOOK_SECRET']
    const given = stripe.flatMap((name) => ['--set', `secrets.variables.${name}.key=${name}`])
    const allowed = [
      '--set',
      'config.POSTRIDER_WEBHOOK_ALLOW=10.20.0.0/16',
      '--set-string',
      'config.POSTRIDER_WEBHOOK_PORTS=443',
    ]
    for (const name of stripe) {
      assert.equal(valuesOf(name, ...given).length, 1)
      assert.deepEqual(valuesOf(name, ...given, ...trialArguments()), [])
    }
    const [allow, ports] = ['POSTRIDER_WEBHOOK_ALLOW', 'POSTRIDER_WEBHOOK_PORTS'].map(
      (name) => valuesOf(name, ...allowed, ...trialArguments())[0],
    )
    const rules = webhookRules({
      allow: Webhooks.shape.POSTRIDER_WEBHOOK_ALLOW.parse(allow),
      ports: Webhooks.shape.POSTRIDER_WEBHOOK_PORTS.parse(ports),
    })
    for (const url of ['https://example.com/hook', 'https://93.184.215.14/hook', 'http://10.20.0.1:8080/hook'])
      assert.equal(checkWebhookUrl(url, rules).kind, 'refused', url)
  })

  it('a trial restore leaves the alerts to production', () => {
    const kinds = rendered('production', ...trialArguments()).map(({ kind }) => kind)
    assert.ok(!kinds.includes('PrometheusRule'))
  })

  it('a trial restore joins no consumer group of production and uses none of its public addresses', () => {
    assert.deepEqual(new Set(valuesOf('KAFKA_TOPIC_PREFIX', ...trialArguments())), new Set(['trial.']))
    const kinds = rendered('production', ...trialArguments()).map(({ kind }) => kind)
    for (const kind of ['HTTPRoute', 'Ingress', 'ScaledObject']) assert.ok(!kinds.includes(kind), kind)
  })
})
