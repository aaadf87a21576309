// `npm test`: every suite, in several mocha processes, as many at a time as two cores can run. Arguments go to mocha; files and folders among them
// narrow the run. `--quick` comes first: only what needs no back end and ends within a minute.
import { existsSync } from 'node:fs'
import process from 'node:process'
import { fillCompileCache } from './runner/compileCache.ts'
import { groups, quickGroups, withFiles } from './runner/groups.ts'
import { type Ran, runGroup } from './runner/mocha.ts'
import { countsText, failuresText, groupText, skippedText, timesText } from './runner/report.ts'
import { runAll } from './runner/schedule.ts'
import { shareBackends } from './runner/sharedBackends.ts'
import { storeTimes, timesOf } from './runner/times.ts'

const quick = process.argv[2] === '--quick'
const given = process.argv.slice(quick ? 3 : 2)
const wanted = given.filter((one) => !one.startsWith('-') && existsSync(one))
const args = given.filter((one) => !wanted.includes(one))

const cores = Number(process.env['POSTRIDER_TEST_WORKERS'] ?? 2)
const began = performance.now()
const runs: Ran[] = []

// Ctrl-C reaches the mocha processes too. They end by themselves, and then this one does, with its back ends.
let stopped = false
process.on('SIGINT', () => {
  stopped = true
})

if (!quick) await fillCompileCache()
{
  await using backends = await shareBackends()
  await runAll(withFiles(quick ? quickGroups : groups, wanted), cores, async (group) => {
    if (stopped) return
    const ran = await runGroup(group, { args, env: backends.env })
    runs.push(ran)
    console.log(groupText(ran))
  })
}

const times = timesOf(runs)
if (!quick && given.length === 0 && !stopped) storeTimes(times)
const section = (title: string, text: string): void => {
  if (text !== '') console.log(`\n${title}\n\n${text}`)
}
section('Time by folder', timesText(times, { slowest: 0 }))
section('Failures', failuresText(runs))
section('Skipped', skippedText(runs))
console.log(`\n${Math.round((performance.now() - began) / 1_000)} s`)
console.log(countsText(runs))
process.exitCode =
  stopped || runs.length === 0 || runs.some(({ failed, problem }) => failed > 0 || problem !== null) ? 1 : 0
