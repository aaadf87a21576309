/** Lines of a page that a person is to type: those of its blocks, and those within its sentences. */

const program = /^(kubectl|helm) /

/** Said of a command, not to be typed. */
const names = ['helm install', 'helm upgrade', 'helm test', 'helm rollback', 'kubectl rollout restart', 'kubectl scale']

const inBlocks = (markdown: string): string[] =>
  markdown
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => /^ {4}/.test(line))
    .map((line) => line.trim().replace(/ {2,}# .*$/, ''))

const inSentences = (markdown: string): string[] =>
  [...markdown.replaceAll(/^ {4}.*$/gm, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll(/\s+/g, ' '))

/** @returns each line for kubectl or helm, without the words that explain it */
export const typedLines = (markdown: string): string[] => {
  const prose = markdown.replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
  return [...inBlocks(prose), ...inSentences(prose)].filter((line) => program.test(line) && !names.includes(line))
}

/** The pipeline that a line is, its parts as they stand. */
export const piped = (line: string): string[] => line.split(' | ')

/** What a part of a pipeline looks for; null: it is no grep. */
export const greps = (part: string): string[] | null => {
  const [, extended, quoted, bare] = /^grep (-E )?(?:'([^']*)'|(\S+))$/.exec(part) ?? []
  const pattern = quoted ?? bare
  if (pattern === undefined) return null
  return extended && !pattern.startsWith('"') ? pattern.split('|') : [pattern]
}
