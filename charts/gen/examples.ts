import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { helm, whyNoHelm } from './helm.ts'

/** These templates only wrap files of the chart, so their output is not stored. */
const unstored = ['dashboards.yaml', 'rules.yaml']

/** Returns the rendered objects of one example, by template. */
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

/**
 * Renders examples/<case>/values.yaml to examples/<case>/rendered. Without helm it logs the reason and changes nothing.
 */
export const renderExamples = (chart: string): void => {
  const why = whyNoHelm()
  if (why !== null) {
    console.log(`charts/postrider/examples not rendered: ${why}`)
    return
  }
  for (const example of readdirSync(join(chart, 'examples'))) {
    const rendered = join(chart, 'examples', example, 'rendered')
    rmSync(rendered, { recursive: true, force: true })
    mkdirSync(rendered)
    for (const [file, text] of render(chart, example)) {
      if (!unstored.includes(file)) writeFileSync(join(rendered, file), text)
    }
  }
}
