import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { helm, whyNoHelm } from './helm.ts'

/** Nothing but files of the chart, wrapped; they are read there. */
const wrapped = ['dashboards.yaml', 'rules.yaml']

/** The objects of one example as helm makes them, by template. */
const render = (chart: string, example: string): Map<string, string> => {
  const values = join(chart, 'examples', example, 'values.yaml')
  const text = helm('template', 'postrider', chart, '--namespace', 'mail', '--values', values)
  const files = new Map<string, string>()
  for (const part of text.split(/^---\n/m)) {
    const [, template] = /^# Source: postrider\/templates\/(\S+)/.exec(part) ?? []
    if (template === undefined) continue
    const file = basename(template)
    files.set(file, `${files.get(file) ?? ''}---\n${part.trimEnd()}\n`)
  }
  return files
}

/** Writes examples/<case>/rendered anew from examples/<case>/values.yaml; where there is no helm they stay, and it is said. */
export const renderExamples = (chart: string): void => {
  const why = whyNoHelm()
  if (why !== null) {
    console.log(`charts/postrider/examples stay as they are: ${why}`)
    return
  }
  for (const example of readdirSync(join(chart, 'examples'))) {
    const rendered = join(chart, 'examples', example, 'rendered')
    rmSync(rendered, { recursive: true, force: true })
    mkdirSync(rendered)
    for (const [file, text] of render(chart, example)) {
      if (!wrapped.includes(file)) writeFileSync(join(rendered, file), text)
    }
  }
}
