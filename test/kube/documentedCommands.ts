/* Commands in a documentation page that an operator types: in code blocks and in sentences. */

const program = /^(kubectl|helm) /

/** Names of commands in sentences, which are not typed. */
const names = [
  'helm install',
  'helm upgrade',
  'helm template',
  'helm test',
  'helm rollback',
  'kubectl rollout restart',
  'kubectl scale',
]

const inBlocks = (markdown: string): string[] =>
  markdown
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => /^ {4}/.test(line))
    .map((line) => line.trim().replace(/ {2,}# .*$/, ''))

const inSentences = (markdown: string): string[] =>
  [...markdown.replaceAll(/^ {4}.*$/gm, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll(/\s+/g, ' '))

/** Returns each line for kubectl or helm, without trailing comments. */
export const documentedCommands = (markdown: string): string[] => {
  const prose = markdown.replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
  return [...inBlocks(prose), ...inSentences(prose)].filter((line) => program.test(line) && !names.includes(line))
}

/** Returns the parts of a pipeline. */
export const pipeline = (line: string): string[] => line.split(' | ')

/** Returns the patterns of a part of a pipeline, or null if it is not a grep. */
export const grepPatterns = (part: string): string[] | null => {
  const [, extended, quoted, bare] = /^grep (-E )?(?:'([^']*)'|(\S+))$/.exec(part) ?? []
  const pattern = quoted ?? bare
  if (pattern === undefined) return null
  return extended && !pattern.startsWith('"') ? pattern.split('|') : [pattern]
}
