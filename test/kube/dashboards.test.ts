import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllDocuments, stringify } from 'yaml'
import { boards } from '../../charts/dashboards/boards.ts'
import { grafanaJson } from '../../charts/dashboards/grafanaJson.ts'
import { helm, whyNoHelm } from '../../charts/gen/helm.ts'
import { skip } from '../support/skip.ts'
import { mustRun, skipSuiteIf, whyNoCommand } from './command.ts'
import { alerts, panels, type Rule, root, rules } from './monitoring.ts'

describe('monitoring objects of the chart', () => {
  it('the chart contains all rules and dashboards, with the URLs of the runbooks', function () {
    const why = whyNoHelm()
    if (why !== null) skip(this, why)
    const pages = 'https://wiki.example/runbooks'
    const set = [
      'rules.enabled=true',
      `rules.runbooks=${pages}`,
      'dashboards.enabled=true',
      'serviceMonitor.enabled=true',
    ]
    const given = set.flatMap((value) => ['--set', `monitoring.${value}`])
    const objects = parseAllDocuments(helm('template', 'postrider', join(root, 'charts/postrider'), ...given)).map(
      (document) => document.toJS() as { kind: string; spec: { groups: { rules: Rule[] }[] }; data: object } | null,
    )
    const of = (kind: string) => objects.flatMap((one) => (one?.kind === kind ? [one] : []))
    const rendered = of('PrometheusRule').flatMap(({ spec }) => spec.groups.flatMap((group) => group.rules))
    const withPages = rules.map(({ annotations, ...rule }) =>
      annotations === undefined
        ? rule
        : { ...rule, annotations: { ...annotations, runbook_url: `${pages}/${annotations['runbook_url']}` } },
    )
    assert.deepEqual(rendered, withPages)
    const files = of('ConfigMap').flatMap(({ data }) => Object.entries(data))
    const shown = Object.fromEntries(files.filter(([name]) => name.endsWith('.json')))
    for (const [name, board] of Object.entries(boards)) {
      assert.deepEqual(JSON.parse(String(shown[`${name}.json`])), JSON.parse(grafanaJson(board)))
    }
    // Without honorLabels the label `service` of the target replaces the name of the called service.
    assert.match(JSON.stringify(of('ServiceMonitor')), /"honorLabels":true/)
  })
})

/** Replaces Grafana's variables, as Grafana does before it sends a query. */
const withoutVariables = (expr: string): string =>
  expr.replace(/\$(\w+)/g, (_, name: string) => (name === '__rate_interval' ? '2m' : '.*'))

describe('dashboards', () => {
  it('dashboards match the output of `npm run gen`', () => {
    const folder = join(root, 'charts/postrider/dashboards')
    assert.deepEqual(
      readdirSync(folder).toSorted(),
      Object.keys(boards)
        .map((name) => `${name}.json`)
        .toSorted(),
    )
    for (const [name, board] of Object.entries(boards)) {
      assert.equal(readFileSync(join(folder, `${name}.json`), 'utf8'), grafanaJson(board), `${name} is stale`)
    }
  })

  it('dashboards have the uids of earlier releases', () => {
    assert.deepEqual(
      Object.values(boards).map(({ uid }) => uid),
      [
        'postrider-overview',
        'postrider-service',
        'postrider-delivery',
        'postrider-refusals',
        'postrider-domains',
        'postrider-billing',
        'postrider-retention',
        'postrider-webhooks',
      ],
    )
  })

  it('panels have descriptions and refer to existing runbooks', () => {
    for (const { board, title, description } of panels) {
      assert.ok(description.length > 40 && /[.?]$/.test(description), `${board}: ${title}`)
      for (const [, page = ''] of description.matchAll(/docs\/runbooks\/(\w+)\.md/g)) {
        assert.ok(
          alerts.some(({ alert }) => alert === page),
          `${board}: ${title} names ${page}`,
        )
      }
    }
  })
})

describe('panels in Prometheus', () => {
  skipSuiteIf(() => whyNoCommand('promtool', ['--version']))

  it('panels contain valid PromQL', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'postrider-panels-'))
    const queries = panels.flatMap((panel) => panel.queries)
    const asRules = queries.map(({ expr }, number) => ({ record: `panel:${number}`, expr: withoutVariables(expr) }))
    const file = join(folder.path, 'panels.yaml')
    writeFileSync(file, stringify({ groups: [{ name: 'panels', rules: asRules }] }))
    await mustRun('promtool', 'check', 'rules', file)
  })
})
