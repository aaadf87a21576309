/** A process of a test, with everything that it has printed. */
type Printing = { name: string; output: string }

/** Warnings and errors shown of each process; the last ones are the nearest to the failure. */
const maxLines = 8
const maxLineLength = 600

const isWarning = (line: string): boolean => /^\{"level":"(?:warn|error|fatal)"/.test(line)

/**
 * Returns the last warnings and errors of each process, to be printed after a test has failed: a response such as 503
 * does not show which process had no time for a call.
 */
export const warningsOf = (processes: readonly Printing[]): string =>
  processes
    .flatMap(({ name, output }) => {
      const lines = output.split('\n').filter(isWarning).slice(-maxLines)
      return lines.map((line) => `    ${name}: ${line.slice(0, maxLineLength)}`)
    })
    .join('\n')
