import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { status } from '@grpc/grpc-js'
import type { Channel, SendOutcome } from '@postrider/adapters/kafka/message.ts'
import type { RecipientStatus } from '@postrider/domain/email/status.ts'
import type { FaultCode } from '@postrider/kit/fault.ts'
import type { MailRouteName } from '@postrider/ports/transport.ts'
import { parse } from 'yaml'
import type { QueryEvent } from '../../packages/adapters/dns/exchange.ts'
import { collectProcessMetrics } from '../../packages/kit/metrics.ts'
import { holdCauses } from '../../services/dispatcher/metrics.ts'
import type { CheckOutcome } from '../../services/domains/metrics.ts'
import { clusterConfigs } from '../../services/standalone/config.ts'
import { allMetrics } from './allMetrics.ts'
import { mustRun, skipSuiteIf, whyNoCommand } from './command.ts'
import { alerts, expressions, root, ruleFiles, rules, rulesFolder } from './monitoring.ts'
import { promqlProblems } from './promql.ts'

const runbooksFolder = join(root, 'docs/runbooks')
const records = new Set(rules.flatMap(({ record }) => record ?? []))

/** Returns the labels of each series in a scrape, by name. */
const ourSeries = async (): Promise<Map<string, readonly string[]>> => {
  const metrics = allMetrics()
  collectProcessMetrics(metrics)
  const series = new Map<string, readonly string[]>()
  for (const { name, type } of await metrics.registry.getMetricsAsJSON()) {
    const { labelNames } = metrics.registry.getSingleMetric(name) as unknown as { labelNames: string[] }
    series.set(name, labelNames)
    if (String(type) !== 'histogram' && String(type) !== 'summary') continue
    for (const part of ['_bucket', '_sum', '_count']) series.set(`${name}${part}`, [...labelNames, 'le'])
  }
  return series
}

/** Labels that Prometheus adds to every series. */
const targetLabels = ['namespace', 'job', 'instance', 'pod']

const selectors = (expr: string): { name: string; labels: string[] }[] =>
  [...expr.matchAll(/([a-z][a-z0-9_:]*_[a-z0-9_:]+)(?:\{([^}]*)\})?/g)]
    .filter(([, name = '']) => /^(postrider_|namespace:)/.test(name))
    .map(([, name = '', inside = '']) => ({
      name,
      labels: [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    }))

type Scenario = {
  name: string
  input_series: { series: string }[]
  promql_expr_test?: { exp_samples: { labels: string }[] }[]
}

const scenariosFile = join(root, 'test/kube/rules.scenarios.yaml')

const { tests: scenarios } = parse(readFileSync(scenariosFile, 'utf8')) as { tests: Scenario[] }

const labelsOf = (series: string): Record<string, string> =>
  Object.fromEntries([...series.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]))

/** Values of labels that the programs set. Renaming one is a compile error here. */
const outcomes: RecipientStatus[] = ['delivered', 'deferred', 'bounced', 'failed']
const rings: SendOutcome[] = ['sent', 'dropped']
const checks: CheckOutcome[] = ['unanswered']
const queries: QueryEvent['outcome'][] = ['reply', 'truncated']
const lanes: Channel[] = ['transactional', 'marketing', 'events']
const routes: MailRouteName[] = ['smtp', 'mailbox', 'simulator']
const codes: FaultCode[] = [
  ...(['internal', 'unavailable', 'rate_limited', 'quota_exceeded'] as const),
  ...(['unauthenticated', 'insufficient_scope', 'forbidden'] as const),
]
const labelValues: Record<string, readonly string[]> = {
  outcome: [...outcomes, ...rings, ...checks, ...queries],
  lane: lanes,
  route: [...routes, '/api/v1/emails'],
  code: [...codes, status[status.OK]],
  cause: holdCauses,
}

describe('expressions of rules and dashboards', () => {
  it('expressions select only existing metrics by existing labels', async () => {
    const known = await ourSeries()
    const wrong = expressions.flatMap(({ of, expr }) =>
      selectors(expr).flatMap(({ name, labels }) => {
        if (records.has(name)) return []
        const has = known.get(name)
        if (!has) return [`${of}: metric ${name} does not exist`]
        return labels
          .filter((label) => !has.includes(label) && !targetLabels.includes(label))
          .map((label) => `${of}: ${name} has no ${label}`)
      }),
    )
    assert.deepEqual(wrong, [])
  })

  it('expressions select only label values that programs set', () => {
    const selected = expressions.flatMap(({ of, expr }) =>
      [...expr.matchAll(/\b(outcome|lane|route|code|cause)(?:=~|!~|!=|=)"([^"$]*)"/g)].flatMap(
        ([, label = '', values = '']) => values.split('|').map((value) => ({ of, label, value })),
      ),
    )
    assert.ok(selected.length > 20)
    assert.deepEqual(
      selected.filter(({ label, value }) => !labelValues[label]?.includes(value)),
      [],
    )
  })

  it('every metric of the product is used', async () => {
    const used = new Set(expressions.flatMap(({ expr }) => selectors(expr).map(({ name }) => name)))
    const own = allMetrics().registry.getMetricsAsArray()
    const unused = own
      .map(({ name }) => name)
      .filter((name) => !['', '_bucket', '_count', '_sum'].some((part) => used.has(`${name}${part}`)))
    assert.deepEqual(unused, [])
  })

  it('expressions are valid PromQL', () => {
    const wrong = expressions.flatMap(({ of, expr }) => promqlProblems(expr).map((problem) => `${of}: ${problem}`))
    assert.deepEqual(wrong, [])
  })

  it('expressions take the maximum of queue metrics, because each intake reports the whole queue', () => {
    const wrong = expressions.filter(({ expr }) => /(sum|avg)[^(]*\([^)]*postrider_mail_queue_/.test(expr))
    assert.deepEqual(wrong, [])
  })
})

describe('alerts', () => {
  it('an alert detects the absence of each service', () => {
    const { expr = '' } = alerts.find(({ alert }) => alert === 'PostriderServiceGone') ?? {}
    const detected = [...expr.matchAll(/postrider_ready\{job="(\w+)"\}/g)].map(([, job = '']) => job)
    assert.deepEqual(detected, Object.keys(clusterConfigs).toSorted())
  })

  it('each alert has a runbook, and each runbook has an alert', () => {
    const pages = readdirSync(runbooksFolder).filter((name) => name.endsWith('.md') && name !== 'README.md')
    const named = new Set(alerts.map(({ alert }) => `${alert}.md`))
    assert.deepEqual(pages.toSorted(), [...named].toSorted())
    for (const { alert, annotations } of alerts) assert.equal(annotations?.['runbook_url'], `${alert}.md`)
  })

  it('each alert has a severity, a summary, a description and the namespace', () => {
    for (const { alert, labels, annotations, expr } of alerts) {
      assert.match(labels?.['severity'] ?? '', /^(critical|warning)$/, alert)
      assert.ok(annotations?.['summary'] && annotations['description'], alert)
      const isSeparate = /by \([^)]*namespace/.test(expr) || !/\b(sum|max|count) ?\(/.test(expr)
      assert.ok(isSeparate, `${alert} adds up several namespaces`)
    }
  })

  it('each runbook has the five required sections', () => {
    const sections = ['## What it means', '## What users notice', '## Diagnose', '## Fix', '## False alarms']
    for (const { alert } of alerts) {
      const page = readFileSync(join(runbooksFolder, `${alert}.md`), 'utf8')
      assert.deepEqual([...page.matchAll(/^## .*$/gm)].map(String), sections, alert)
    }
  })

  it('runbooks search logs only for texts that the programs log', () => {
    const sources = ['packages', 'services']
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(root, folder, name)),
      )
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('node_modules'))
      .map((file) => readFileSync(file, 'utf8'))
    const pages = alerts.map(({ alert }) => readFileSync(join(runbooksFolder, `${alert}.md`), 'utf8'))
    const searched = pages.flatMap((page) =>
      [...page.matchAll(/logs .*\| grep (?:-E )?(?:'([^'"]+)'|([\w.]+))/g)].flatMap(([, quoted, bare = '']) =>
        (quoted ?? bare).split('|'),
      ),
    )
    assert.ok(searched.length > 5)
    assert.deepEqual(
      searched.filter((text) => !sources.some((source) => source.includes(text))),
      [],
    )
  })

  it('each service level uses the same burn rate windows', () => {
    const burning = alerts.filter(({ labels }) => labels?.['burn'])
    const shapes = Map.groupBy(burning, ({ alert }) => alert)
    for (const [alert, some] of shapes) {
      const shape = some.map(({ expr, labels }) => {
        const [long, short] = [...expr.matchAll(/:ratio(\w+) > /g)].map(([, window]) => window)
        assert.ok(expr.includes(`[${long}]`), `${alert} counts bad events over another window`)
        return `${labels?.['burn']} ${long} ${short} ${labels?.['severity']}`
      })
      assert.deepEqual(shape, ['14.4 1h 5m critical', '6 6h 30m critical', '1 3d 6h warning'], alert)
    }
    assert.equal(shapes.size, 3)
  })

  it('each alert fires in at least one scenario', () => {
    const fired = scenarios.flatMap(({ promql_expr_test: checks = [] }) =>
      checks.flatMap(({ exp_samples }) => exp_samples.map(({ labels }) => labelsOf(labels))),
    )
    const seen = new Set(fired.map(({ alertname, severity, burn }) => `${alertname} ${severity} ${burn}`))
    const all = alerts.map(({ alert, labels }) => `${alert} ${labels?.['severity']} ${labels?.['burn']}`)
    assert.deepEqual(
      all.filter((one) => !seen.has(one)),
      [],
    )
  })

  it('the healthy scenario contains every metric that rules use', () => {
    const [healthy] = scenarios
    const present = new Set(healthy?.input_series.map(({ series }) => series.replace(/\{.*$/, '')))
    const used = rules.flatMap(({ expr }) => selectors(expr).map(({ name }) => name))
    assert.deepEqual(
      used.filter((name) => !records.has(name) && !present.has(name)),
      [],
    )
  })
})

describe('rules in Prometheus', () => {
  skipSuiteIf(() => whyNoCommand('promtool', ['--version']))

  it('rules have no faults', async () => {
    await mustRun('promtool', 'check', 'rules', ...ruleFiles.map((name) => join(rulesFolder, name)))
  })

  for (const { name } of scenarios)
    it(name, async () => {
      await mustRun('promtool', 'test', 'rules', '--run', `^${RegExp.escape(name)}$`, scenariosFile)
    })
})
