import { html } from '@codemirror/lang-html'
import { unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { codeStyle, shadowOf } from './editorStyle.ts'

/** Shows the differences between two texts, line by line. Long parts without a difference are folded. */
export const DiffView = ({ label, before, after }: { label: string; before: string; after: string }) => {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (container.current === null) return undefined
    const shadow = shadowOf(container.current)
    const editor = new EditorView({
      parent: shadow,
      root: shadow,
      doc: after,
      extensions: [
        lineNumbers(),
        EditorView.lineWrapping,
        html(),
        codeStyle,
        EditorState.readOnly.of(true),
        EditorView.contentAttributes.of({ 'aria-label': label }),
        unifiedMergeView({
          original: before,
          mergeControls: false,
          highlightChanges: false,
          collapseUnchanged: { margin: 3, minSize: 6 },
        }),
      ],
    })
    return () => editor.destroy()
  }, [label, before, after])
  return <div ref={container} className="max-h-[60vh] overflow-auto rounded-md border border-line" />
}
