import { CircleAlert, Lightbulb } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import type { Finding } from './positions.ts'

const partNames = { subject: 'Subject', html_body: 'HTML', text_body: 'Text' } as const

/** Returns where a problem is, as people read it. */
const positionText = ({ part, line, column }: Finding): string =>
  [part && partNames[part], line !== null && `line ${line}`, column !== null && `column ${column}`]
    .filter(Boolean)
    .join(', ')

/** The problems that prevent a preview. A press of a problem with a position moves the cursor there. */
export const Findings = ({
  findings,
  missing,
  onGo,
  onFill,
}: {
  findings: readonly Finding[]
  missing: readonly string[]
  onGo: (finding: Finding) => void
  onFill: () => void
}) => {
  if (findings.length === 0 && missing.length === 0) return null
  return (
    <div role="alert" className="flex gap-2 rounded-md bg-bad-tint px-3 py-2 text-small text-bad">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <ul className="flex min-w-0 flex-col gap-1.5">
        {missing.length > 0 && (
          <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span>The test data has no value for {missing.join(', ')}.</span>
            <Button size="small" onClick={onFill}>
              Add {missing.length === 1 ? 'it' : 'them'}
            </Button>
          </li>
        )}
        {findings.map((finding) => (
          <li key={`${finding.part}${finding.line}:${finding.column}${finding.message}`}>
            {finding.line === null ? (
              <>
                {finding.part && <b className="font-medium">{partNames[finding.part]}: </b>}
                {finding.message}
              </>
            ) : (
              <button type="button" className="text-left underline" onClick={() => onGo(finding)}>
                <b className="font-medium">{positionText(finding)}:</b> {finding.message}
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Advice on the content, which never refuses anything. */
export const Notices = ({ notices }: { notices: readonly string[] }) =>
  notices.length === 0 ? null : (
    <section aria-label="Advice" className="flex gap-2 rounded-md bg-warn-tint px-3 py-2 text-small text-warn">
      <Lightbulb aria-hidden className="mt-0.5 size-4 shrink-0" />
      <ul className="flex min-w-0 flex-col gap-1">
        {notices.map((notice) => (
          <li key={notice}>{notice}</li>
        ))}
      </ul>
    </section>
  )
