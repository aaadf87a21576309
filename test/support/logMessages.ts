/** The first argument of a call that logs: fields, which may contain objects, or a name. */
const fields = String.raw`(?:\{(?:[^{}]|\{[^{}]*\})*\}|[\w.]+)`

/** Calls that log at level `warn` or `error`, and settings of messages that other functions log at one of them. */
const warnings = [
  String.raw`\b[lL]og\??\.(?:warn|error)\(\s*(?:${fields},\s*)?'([^']+)'`,
  // The level depends on the reason.
  String.raw`\blog\[[^\]]+\]\(\s*${fields},\s*'([^']+)'`,
  String.raw`\blogFailure\([\w.]+,\s*${fields},\s*'([^']+)'`,
  // Failures of signing keys.
  String.raw`\breport\(${fields},\s*'([^']+)'`,
  String.raw`\bfailureLog\([\w.]+,\s*'([^']+)'`,
  String.raw`\boutageLog\([\w.]+,\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)?\bfailed: '([^']+)'`,
  String.raw`\bfailed = '([^']+)'`,
  String.raw`\blog(?:: [\w.]+)?,\s+message: '([^']+)'`,
].map((pattern) => new RegExp(pattern, 'g'))

/** Returns the literal messages that a code without comments logs at level `warn` or `error`, each once. */
export const warningsIn = (code: string): string[] => [
  ...new Set(warnings.flatMap((pattern) => [...code.matchAll(pattern)].map(([, message = '']) => message))),
]

/** Returns the messages that the tables of a page list in their first column, under the heading `msg`. */
export const listedMessages = (page: string): string[] =>
  [...page.matchAll(/^\| (`[^|]*) \|/gm)]
    .flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text))
    .filter((text) => text !== 'msg')
