import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { renderExamples } from './examples.ts'
import { programs } from './programs.ts'
import { readme } from './readme.ts'
import { valuesSchema } from './schema.ts'

/** Writes what of the chart is made from other sources; `npm run gen` runs it. */

const chart = join(import.meta.dirname, '../postrider')

const made = '# Made by `npm run gen` from the objects that read the environment.\n'
const values = readFileSync(join(chart, 'values.yaml'), 'utf8')

writeFileSync(join(chart, 'files/programs.yaml'), `${made}${stringify(programs())}`)
writeFileSync(join(chart, 'values.schema.json'), `${JSON.stringify(valuesSchema(), null, 2)}\n`)
writeFileSync(join(chart, 'README.md'), readme(values))
renderExamples(chart)
