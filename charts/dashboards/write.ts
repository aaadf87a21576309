import { writeFileSync } from 'node:fs'
import { boards } from './boards.ts'
import { grafanaJson } from './grafanaJson.ts'

/** Writes the dashboards of the chart; `npm run gen` runs it. */
for (const [name, board] of Object.entries(boards)) {
  writeFileSync(new URL(`../postrider/dashboards/${name}.json`, import.meta.url), grafanaJson(board))
}
