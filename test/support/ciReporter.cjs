// Mocha's spec reporter, and one plain line with the counts for whoever reads only the end.
const { writeFileSync } = require('node:fs')
const { reporters } = require('mocha')

module.exports = class CiReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options)
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats
      const line = `${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}\n`
      writeFileSync(options.reporterOptions.count, line)
    })
  }
}
