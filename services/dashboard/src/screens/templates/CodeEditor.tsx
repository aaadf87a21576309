import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { html } from '@codemirror/lang-html'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import type { Part } from '../../api/templates.ts'
import { codeStyle, shadowOf } from './editorStyle.ts'
import { type Finding, indexOf } from './positions.ts'

/** A position to move the cursor to. Each request is a new object, so that the same position can be requested again. */
export type Wish = Pick<Finding, 'line' | 'column'>

type Language = 'html' | 'text'

export type CodeEditorProps = {
  /** Names it for screen readers. */
  label: string
  value: string
  onChange: (text: string) => void
  language: Language
  readOnly: boolean
  part: Part
  /** The problems of all parts. */
  findings: readonly Finding[]
  wish: Wish | null
}

/**
 * Replaces a selection by what is typed. Left to it, Chromium puts the text into an element with the color of the
 * former text, by a style attribute, which the Content-Security-Policy refuses and the console reports.
 */
const replacesSelection = EditorView.domEventHandlers({
  beforeinput: ({ inputType, isComposing, data }, { state, dispatch }) => {
    if (inputType !== 'insertText' || isComposing || data === null || state.selection.main.empty) return false
    if (!state.readOnly)
      dispatch(state.update(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true }))
    return true
  },
})

const fixed: Extension = [
  lineNumbers(),
  lintGutter(),
  history(),
  EditorView.lineWrapping,
  replacesSelection,
  // Tab goes on to the next control, so that the keyboard can leave the editor.
  keymap.of([...defaultKeymap, ...historyKeymap]),
  codeStyle,
]

const diagnosticsOf = (text: string, of: Part, findings: readonly Finding[]): Diagnostic[] =>
  findings.flatMap(({ part, line, column, message }) => {
    if (part !== of || line === null || column === null) return []
    const from = indexOf(text, line, column)
    return [{ from, to: Math.min(from + 1, text.length), severity: 'error', message }]
  })

/** An editor of code, with line numbers, colors and marks at problems. */
export const CodeEditor = ({ label, value, onChange, language, readOnly, part, findings, wish }: CodeEditorProps) => {
  const container = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const latest = useRef({ onChange, value })
  latest.current = { onChange, value }

  useEffect(() => {
    if (container.current === null) return undefined
    const shadow = shadowOf(container.current)
    const editor = new EditorView({
      parent: shadow,
      root: shadow,
      doc: latest.current.value,
      extensions: [
        fixed,
        language === 'html' ? html() : [],
        EditorState.readOnly.of(readOnly),
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: language === 'text' ? 'true' : 'false' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange(update.state.doc.toString())
        }),
      ],
    })
    view.current = editor
    return () => {
      view.current = null
      editor.destroy()
    }
  }, [label, language, readOnly])

  useEffect(() => {
    const editor = view.current
    const shown = editor?.state.doc.toString()
    if (!editor || shown === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])

  useEffect(() => {
    const editor = view.current
    if (!editor) return
    editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(editor.state.doc.toString(), part, findings)))
  }, [part, findings])

  useEffect(() => {
    const editor = view.current
    if (!editor || wish?.line == null || wish.column === null) return
    const anchor = indexOf(editor.state.doc.toString(), wish.line, wish.column)
    editor.dispatch({ selection: { anchor }, scrollIntoView: true })
    editor.focus()
  }, [wish])

  return <div ref={container} className="h-full min-h-0 overflow-hidden" />
}
