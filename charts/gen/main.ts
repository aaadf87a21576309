import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderExamples } from './examples.ts'
import { programs } from './programs.ts'
import { readme } from './readme.ts'
import { valuesSchema } from './schema.ts'

/* Writes the generated files of the chart; `npm run gen` runs it. */

const chart = join(import.meta.dirname, '../postrider')

const values = readFileSync(join(chart, 'values.yaml'), 'utf8')

for (const [name, content] of Object.entries(programs()))
  writeFileSync(join(chart, `files/${name}.json`), `${JSON.stringify(content, null, 2)}\n`)
writeFileSync(join(chart, 'values.schema.json'), `${JSON.stringify(valuesSchema(), null, 2)}\n`)
writeFileSync(join(chart, 'README.md'), readme(values))
renderExamples(chart)
