import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { Decoration, EditorView, MatchDecorator, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/* How code looks in an editor. The colors are the tokens of styles.css, so they follow the theme. */

const theme = EditorView.theme({
  '&': { color: 'var(--color-ink)', backgroundColor: 'var(--color-surface)', fontSize: '13px', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '20px' },
  '.cm-content': { caretColor: 'var(--color-ink)', padding: '8px 0' },
  '.cm-line': { padding: '0 12px' },
  '.cm-gutters': { backgroundColor: 'var(--color-sunken)', color: 'var(--color-faint)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 12px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '.cm-cursor': { borderLeftColor: 'var(--color-ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--color-info-tint)',
  },
  '.cm-templateTag': { color: 'var(--color-warn)', fontWeight: '600' },
  // Inside a tag, the language below may have colored the name.
  '.cm-templateTag span': { color: 'var(--color-warn)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--color-surface)',
    border: '1px solid var(--color-line)',
    borderRadius: '6px',
    color: 'var(--color-ink)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--color-bad)' },
  '.cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--color-good-tint) !important' },
  '.cm-deletedChunk': { backgroundColor: 'var(--color-bad-tint) !important' },
  '.cm-changedText': { background: 'none !important' },
  '.cm-deletedText': { background: 'none !important' },
  '.cm-collapsedLines': {
    background: 'var(--color-sunken) !important',
    color: 'var(--color-muted)',
  },
})

const highlight = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket, tags.keyword], color: 'var(--color-info)' },
  { tag: [tags.attributeName, tags.propertyName], color: 'var(--color-muted)' },
  { tag: [tags.attributeValue, tags.string, tags.number], color: 'var(--color-good)' },
  { tag: [tags.comment, tags.meta], color: 'var(--color-faint)' },
])

const templateTag = new MatchDecorator({
  regexp: /\{\{\{?[^{}]*\}?\}\}/g,
  decoration: Decoration.mark({ class: 'cm-templateTag' }),
})

/** Marks the placeholders and blocks of a template. */
const templateTags = ViewPlugin.define(
  (view) => ({
    marks: templateTag.createDeco(view),
    update(update: ViewUpdate) {
      this.marks = templateTag.updateDeco(update, this.marks)
    },
  }),
  { decorations: ({ marks }) => marks },
)

/**
 * Returns where an editor is put. CodeMirror adds its styles to a document by a `<style>` element, which the
 * Content-Security-Policy refuses, and to a shadow root by `adoptedStyleSheets`, which it allows.
 */
export const shadowOf = (container: HTMLElement): ShadowRoot => {
  const shadow = container.shadowRoot ?? container.attachShadow({ mode: 'open' })
  shadow.replaceChildren()
  return shadow
}

export const codeStyle: Extension = [theme, syntaxHighlighting(highlight), templateTags]
