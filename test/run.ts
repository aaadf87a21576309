// `npm test`: suites in several mocha processes, as many at a time as two cores can run. Arguments go to mocha; files
// and folders among them narrow the run. The first one can select what runs: `--quick` is what needs no back end and
// takes about a minute, `--cluster` what starts every service, `--all` everything.
import { existsSync } from 'node:fs'
import process from 'node:process'
import { fillCompileCache } from './runner/compileCache.ts'
import { groupsOf, type Part, quickGroups, withFiles } from './runner/groups.ts'
import { type Ran, runGroup } from './runner/mocha.ts'
import { countsText, failuresText, groupText, leftText, skippedText, timesText } from './runner/report.ts'
import { runAll } from './runner/schedule.ts'
import { shareBackends } from './runner/sharedBackends.ts'
import { storeTimes, timesOf } from './runner/times.ts'

const selections: readonly string[] = ['--quick', '--cluster', '--all']
const selection = selections.find((one) => one === process.argv[2])?.slice(2) as 'quick' | Part | undefined
const given = process.argv.slice(selection === undefined ? 2 : 3)
const wanted = given.filter((one) => !one.startsWith('-') && existsSync(one))
const args = given.filter((one) => !wanted.includes(one))
// Files that are named run on every composition.
const part = selection ?? (wanted.length > 0 ? 'all' : 'test')
const chosen = part === 'quick' ? withFiles(quickGroups, wanted) : groupsOf(part, wanted)

const cores = Number(process.env['POSTRIDER_TEST_WORKERS'] ?? 2)
const began = performance.now()
const runs: Ran[] = []

// Ctrl-C reaches the mocha processes too. They end by themselves, and then this one does, with its back ends.
let stopped = false
process.on('SIGINT', () => {
  stopped = true
})

if (part !== 'quick') await fillCompileCache()
{
  await using backends = await shareBackends()
  await runAll(chosen, cores, async (group) => {
    if (stopped) return
    const ran = await runGroup(group, { args, env: backends.env })
    runs.push(ran)
    console.log(groupText(ran))
  })
}

const times = timesOf(runs)
if (part !== 'quick' && given.length === 0 && !stopped) storeTimes(times)
const section = (title: string, text: string): void => {
  if (text !== '') console.log(`\n${title}\n\n${text}`)
}
section('Time by folder', timesText(times, { slowest: 0 }))
section('Failures', failuresText(runs))
section('Skipped', skippedText(runs))
if (part === 'test') section('Run by `npm run test:cluster`', leftText(groupsOf('cluster', wanted)))
console.log(`\n${Math.round((performance.now() - began) / 1_000)} s`)
console.log(countsText(runs))
process.exitCode =
  stopped || runs.length === 0 || runs.some(({ failed, problem }) => failed > 0 || problem !== null) ? 1 : 0
