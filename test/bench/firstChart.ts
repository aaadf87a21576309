import process from 'node:process'
import { launchBrowser } from '../support/chromium.ts'
import { connect } from '../support/client.ts'
import { root } from '../support/project.ts'
import { smtpSink } from '../support/smtpSink.ts'
import { makeDataDirectory, operatorToken, removeDataDirectory, startStandalone } from '../support/standalone.ts'
import { aWorkspaceWithMail, chartMs, openContext, watchChart } from './chartTimes.ts'

/*
 * Compares the time to the first chart of this tree with that of another one:
 * `node test/bench/firstChart.ts <tree> [loads]`. Both trees need their packages and `npm run build:dashboard`. The
 * loads alternate, so that other work of the machine slows both.
 */

const [other, loads = '20'] = process.argv.slice(2)
if (other === undefined) throw new Error('name the folder of the other tree')

const middle = (values: readonly number[]): number =>
  values.toSorted((one, next) => one - next)[Math.floor(values.length / 2)] ?? 0

await using sink = await smtpSink({ keep: 'counts' })

const start = async (tree: string) => {
  const data = await makeDataDirectory()
  const env = { POSTRIDER_ROUTE: `smtp://127.0.0.1:${sink.port}`, POSTRIDER_OPERATOR_TOKEN: operatorToken }
  const service = await startStandalone(env, data, tree)
  const client = connect(service.url, operatorToken)
  const session = await aWorkspaceWithMail(client)
  const times: Record<'empty' | 'filled', number[]> = { empty: [], filled: [] }
  const stop = async (): Promise<void> => {
    client.close()
    await service.stop()
    await removeDataDirectory(data)
  }
  return { url: service.url, session, times, stop }
}

const trees = [await start(other), await start(root)] as const
const browser = await launchBrowser()
for (let load = 0; load < Number(loads); load++)
  for (const { url, session, times } of load % 2 === 0 ? trees : trees.toReversed()) {
    await using context = await openContext({ browser, url, session })
    const page = await context.newPage()
    await page.addInitScript(watchChart)
    times.empty.push(await chartMs(page))
    times.filled.push(await chartMs(page))
  }
const [before, after] = trees
for (const cache of ['empty', 'filled'] as const) {
  const ratio = middle(after.times[cache].map((ms, load) => ms / (before.times[cache][load] ?? 0)))
  const [then, now] = [before, after].map(({ times }) => middle(times[cache]).toFixed(0))
  process.stdout.write(
    `${cache} cache: ${then} ms in the other tree, ${now} ms in this one; ratio ${ratio.toFixed(2)}\n`,
  )
}
await browser.close()
for (const { stop } of trees) await stop()
