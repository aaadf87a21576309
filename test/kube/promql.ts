/** Functions and operators that our rules and dashboards use. All exist in Prometheus 2 and 3. */
const known = new Set(
  [
    ['sum', 'max', 'count', 'by', 'on', 'group_left', 'bool', 'or', 'and', 'unless'],
    ['rate', 'increase', 'changes', 'avg_over_time', 'last_over_time', 'sum_over_time'],
    ['histogram_quantile', 'label_replace', 'absent', 'scalar', 'vector', 'time'],
  ].flat(),
)

const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** Returns unmatched brackets. */
const bracketProblems = (bare: string): string[] => {
  const open: string[] = []
  for (const sign of bare) {
    if ('([{'.includes(sign)) open.push(sign)
    else if (sign in pairs && open.pop() !== pairs[sign]) return [`unmatched ${sign}`]
  }
  return open.map((sign) => `${sign} is not closed`)
}

/**
 * Returns the problems of an expression that can be detected without Prometheus: unmatched brackets, unknown functions,
 * a rate without a window.
 */
export const promqlProblems = (expr: string): string[] => {
  const bare = expr.replace(/"(?:[^"\\]|\\.)*"/g, '""')
  const called = [...bare.matchAll(/\b([a-z_]+)\s*\(/g)].map(([, name = '']) => name)
  const windowless = [...bare.matchAll(/\b(?:rate|increase|changes|\w+_over_time)\(([^()]*)\)/g)]
  return [
    ...bracketProblems(bare),
    ...called.filter((name) => !known.has(name)).map((name) => `unknown function ${name}`),
    ...windowless.filter(([, inside = '']) => !/\[[\w$]+\]$/.test(inside)).map(([call]) => `${call} has no window`),
  ]
}
