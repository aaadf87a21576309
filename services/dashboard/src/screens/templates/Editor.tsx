import { lazy, Suspense, useRef, useState } from 'react'
import type { Part, Template } from '../../api/templates.ts'
import { TextInput } from '../../ui/controls.tsx'
import { Field } from '../../ui/Field.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import type { Wish } from './CodeEditor.tsx'
import { Findings, Notices } from './Findings.tsx'
import { Preview } from './Preview.tsx'
import { type Finding, indexOf } from './positions.ts'
import { TestDataView } from './TestDataView.tsx'
import type { Draft } from './useDraft.ts'
import type { usePreview } from './usePreview.ts'
import type { TestData } from './useTestData.ts'

/** Loaded when it is first shown: it is larger than everything else of the screen. */
const CodeEditor = lazy(async () => ({ default: (await import('./CodeEditor.tsx')).CodeEditor }))

type View = 'html' | 'text' | 'data'

/** The position that the cursor moves to. */
type Wanted = { part: Part; position: Wish }

const bodies = {
  html: { part: 'html_body', label: 'HTML of the template' },
  text: { part: 'text_body', label: 'Text of the template' },
} as const

/** The parts of a template, and next to them what a reader would see. */
export const Editor = ({
  template,
  draft,
  data,
  made,
  readOnly,
}: {
  template: Template
  draft: Draft
  data: TestData
  made: ReturnType<typeof usePreview>
  readOnly: boolean
}) => {
  const [view, setView] = useState<View>('html')
  const [wish, setWish] = useState<Wanted | null>(null)
  const subject = useRef<HTMLInputElement>(null)
  const { preview, findings, missing } = made
  const isChecked = Boolean(preview) || findings.length + missing.length > 0
  const inPart = (part: Part): Finding[] => findings.filter((finding) => finding.part === part)
  const go = (finding: Finding): void => {
    if (finding.part === 'subject') {
      const at = indexOf(draft.parts.subject, finding.line ?? 1, finding.column ?? 1)
      subject.current?.focus()
      subject.current?.setSelectionRange(at, at)
      return
    }
    if (finding.part === null) return
    setView(finding.part === 'html_body' ? 'html' : 'text')
    setWish({ part: finding.part, position: { line: finding.line, column: finding.column } })
  }
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        <Field label="Subject" error={inPart('subject')[0]?.message}>
          <TextInput
            ref={subject}
            className="font-mono !text-small"
            autoComplete="off"
            readOnly={readOnly}
            value={draft.parts.subject}
            onChange={(event) => draft.set({ subject: event.target.value })}
          />
        </Field>
        <Tabs
          label="Parts of the template"
          value={view}
          onChange={setView}
          tabs={[
            { name: 'html', label: <Counted text="HTML" count={inPart('html_body').length} /> },
            { name: 'text', label: <Counted text="Text" count={inPart('text_body').length} /> },
            { name: 'data', label: <Counted text="Test data" count={missing.length} /> },
          ]}
        >
          {view === 'data' ? (
            <TestDataView data={data} variables={preview?.variables ?? template.variables} />
          ) : (
            <Code view={view} draft={draft} findings={findings} wish={wish} readOnly={readOnly} />
          )}
        </Tabs>
      </div>
      <section aria-label="Preview" className="flex min-w-0 flex-col gap-3">
        <Findings findings={findings} missing={missing} onGo={go} onFill={data.fill} />
        {preview ? (
          <Preview preview={preview} part={view === 'text' ? 'text' : 'html'} />
        ) : (
          !isChecked && <Skeleton className="h-[37.5rem] w-full" />
        )}
        {/* Below the preview, so not before its height is known. */}
        {isChecked && <Notices notices={preview?.notices ?? template.notices} />}
      </section>
    </div>
  )
}

/** The label of a tab with the number of its problems. */
const Counted = ({ text, count }: { text: string; count: number }) => (
  <>
    {text}
    {count > 0 && (
      <span className="ml-1.5 rounded-full bg-bad-tint px-1.5 text-tiny text-bad">
        {count}
        <span className="sr-only"> problems</span>
      </span>
    )}
  </>
)

type CodeProps = {
  view: keyof typeof bodies
  draft: Draft
  findings: Finding[]
  wish: Wanted | null
  readOnly: boolean
}

/** The editor of one body. */
const Code = ({ view, draft, findings, wish, readOnly }: CodeProps) => (
  <div className="h-[28rem] overflow-hidden rounded-lg border border-line focus-within:border-accent">
    <Suspense fallback={<Skeleton className="h-full w-full" />}>
      <CodeEditor
        key={view}
        label={bodies[view].label}
        language={view}
        readOnly={readOnly}
        value={draft.parts[bodies[view].part]}
        onChange={(text) => draft.set({ [bodies[view].part]: text })}
        findings={findings}
        part={bodies[view].part}
        wish={wish?.part === bodies[view].part ? wish.position : null}
      />
    </Suspense>
  </div>
)
