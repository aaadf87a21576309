/**
 * Writes one line. Progress consists of whole lines without control characters, so that it is readable in a log file
 * too.
 */
type PrintLine = (line: string) => void

/** Formats a duration: `0.4 s`, `12 s`, `3 min 5 s`. */
export const durationText = (ms: number): string => {
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

type StepOptions = {
  print: PrintLine
  now?: () => number
  /** How often a step that is not finished is reported. */
  everyMs?: number
  repeat?: (report: () => void, everyMs: number) => { stop(): void }
}

const onTimer = (report: () => void, everyMs: number) => {
  const timer = setInterval(report, everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

/** Runs long work: prints its start, a line for each `everyMs` that it runs, and its end. */
export const step = async <Result>(
  text: string,
  work: () => Promise<Result>,
  { print, now = () => performance.now(), everyMs = 10_000, repeat = onTimer }: StepOptions,
): Promise<Result> => {
  const begun = now()
  print(`${text} …`)
  const reports = repeat(() => print(`${text}: running for ${durationText(now() - begun)}`), everyMs)
  try {
    const result = await work()
    print(`${text}: done in ${durationText(now() - begun)}`)
    return result
  } catch (thrown) {
    print(`${text}: failed after ${durationText(now() - begun)}`)
    throw thrown
  } finally {
    reports.stop()
  }
}

/** Runs `count` rounds one after the other, and prints which one runs and how long the others will take. */
export const inRounds = async <Round>(
  count: number,
  measure: (number: number) => Promise<Round>,
  { print, now = () => performance.now() }: Pick<StepOptions, 'print' | 'now'>,
): Promise<Round[]> => {
  const begun = now()
  const rounds: Round[] = []
  for (let number = 0; number < count; number++) {
    const elapsed = now() - begun
    const left = number === 0 ? '' : `, about ${durationText((elapsed / number) * (count - number))} left`
    print(`round ${number + 1} of ${count}${left}`)
    rounds.push(await measure(number))
  }
  print(`${count === 1 ? '1 round' : `${count} rounds`} in ${durationText(now() - begun)}`)
  return rounds
}
