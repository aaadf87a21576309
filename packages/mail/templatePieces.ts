import Handlebars from 'handlebars'
import type { Steps } from './steps.ts'
import { type TemplateTag, tagsPerStep } from './templateScan.ts'

/**
 * Parses a source that passed the scan into the syntax tree that `Handlebars.parse` returns, except for the positions
 * of its nodes. The parser needs 100 ms for the largest source, so it gets pieces: the text between two tags of blocks,
 * and the tags of a block without what they enclose.
 */
export function* parseInPieces(
  source: string,
  tags: readonly TemplateTag[],
  maxTags = tagsPerStep,
): Steps<hbs.AST.Program> {
  if (tags.length === 0 && source.length > longText) return programOf([contentOf(source)])
  if (tags.length <= maxTags) return Handlebars.parse(source)
  const root: hbs.AST.Statement[] = []
  const open: OpenBlock[] = []
  const body = () => open.at(-1)?.bodies.at(-1) ?? root
  let [from, waiting] = [0, 0]
  for (const { kind, at, text } of tags) {
    const role = roleOf(kind, text)
    const end = at + text.length
    waiting += 1
    if (role !== 'inside') {
      append(body(), beforeTag(source.slice(from, at)))
      from = end
      const block = role === 'open' ? { tags: '', bodies: [] } : open.pop()
      if (!block) throw new Error('a tag outside its block passed the scan')
      block.tags += text
      if (role === 'close') append(body(), [wholeBlock(block)])
      else open.push({ ...block, bodies: [...block.bodies, []] })
    } else if (waiting >= maxTags) {
      // What follows an escaped tag up to the next tag is part of its text, so the cut is before its backslash.
      const cut = kind === 'escaped' ? at - 1 : end
      append(body(), statementsOf(source.slice(from, cut)))
      from = cut
    }
    if (waiting < maxTags) continue
    waiting = 0
    yield
  }
  append(root, statementsOf(source.slice(from)))
  yield
  // A tree is not parsed again: only its white space is stripped.
  return programOf(root)
}

/** Characters of a source without tags above which the parser, which needs 5 ms for the largest, is not used. */
const longText = 16_384

/** Nodes of the tree have positions too, which nothing here reads. */
const contentOf = (text: string): hbs.AST.Statement =>
  ({ type: 'ContentStatement', value: text, original: text }) as unknown as hbs.AST.ContentStatement

const programOf = (body: readonly hbs.AST.Statement[]): hbs.AST.Program =>
  Handlebars.parse({ type: 'Program', body } as never)

/** `tags`: the text of its tags so far. `bodies`: what each of its branches encloses. */
type OpenBlock = { tags: string; bodies: hbs.AST.Statement[][] }

/** Returns whether a tag opens, divides or closes a block. */
const roleOf = (kind: TemplateTag['kind'], text: string): 'open' | 'else' | 'close' | 'inside' => {
  if (kind !== 'tag') return 'inside'
  if (/^\{\{~?#/.test(text)) return 'open'
  if (/^\{\{~?\//.test(text)) return 'close'
  return /^\{\{~?\s*else\b/.test(text) ? 'else' : 'inside'
}

const append = (body: hbs.AST.Statement[], statements: readonly hbs.AST.Statement[]): void => {
  for (const statement of statements) body.push(statement)
}

const statementsOf = (source: string): hbs.AST.Statement[] =>
  source === '' ? [] : Handlebars.parseWithoutProcessing(source).body

/**
 * Parses what precedes a tag. The parser reads backslashes before a tag in another way than at the end, so one follows.
 */
const beforeTag = (source: string): hbs.AST.Statement[] =>
  source === '' ? [] : statementsOf(`${source}{{a}}`).slice(0, -1)

/** Parses the tags of a block, and puts into each branch what it encloses. */
const wholeBlock = ({ tags, bodies }: OpenBlock): hbs.AST.Statement => {
  const [block] = statementsOf(tags) as [hbs.AST.BlockStatement]
  let [current, isLast] = [block, false]
  for (const [index, body] of bodies.entries()) {
    const branch: Branch | undefined = index === 0 ? block.program : current.inverse
    if (!branch || isLast) throw new Error('a branch outside its block passed the scan')
    // The parser reads an `else if` as a block in the `else`.
    if (branch.chained) current = branch.body[0] as hbs.AST.BlockStatement
    else isLast = index > 0
    if (branch.chained) current.program.body = body
    else branch.body = body
  }
  return block
}

type Branch = hbs.AST.Program & { chained?: boolean }
