import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Controls } from '../../api/operator.ts'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Table.tsx'
import { limits, limitText, planLabels } from './controlsLabels.ts'

/** Loaded when they open: they contain the schemas of request bodies. */
const PlanDialog = lazy(() => import('./PlanDialog.tsx').then((module) => ({ default: module.PlanDialog })))
const LimitsDialog = lazy(() => import('./LimitsDialog.tsx').then((module) => ({ default: module.LimitsDialog })))
const NoteDialog = lazy(() => import('./NoteDialog.tsx').then((module) => ({ default: module.NoteDialog })))
const AdjustDialog = lazy(() => import('./AdjustDialog.tsx').then((module) => ({ default: module.AdjustDialog })))

type Step = 'plan' | 'limits' | 'note' | 'adjust'

/** The plan, the limits, corrections and the note of a workspace. */
export const WorkspaceSettings = ({ workspace }: { workspace: Controls }) => {
  const [step, setStep] = useState<Step | null>(null)
  const close = () => setStep(null)
  const open = (name: Step) => () => setStep(name)
  return (
    <div className="flex flex-col gap-6">
      <Part title="Plan" action={<Change what="plan" onClick={open('plan')} />}>
        <p className="px-4 py-3.5">
          {planLabels[workspace.plan] ?? workspace.plan}
          <span className="block text-small text-muted">Sets the price and, below, the limits “as the plan”.</span>
        </p>
      </Part>
      <Part title="Limits" action={<Change what="limits" onClick={open('limits')} />}>
        <dl className="divide-y divide-line">
          {limits.map(({ name, label, text, ofPlan }) => {
            const limit = workspace.limits[name]
            return (
              <div key={name} className="flex items-center gap-4 px-4 py-3">
                <dt className="min-w-0 flex-1">
                  {label}
                  <span className="block text-small text-muted">{text}</span>
                </dt>
                <dd className={limit === 'plan' ? 'text-muted' : 'font-medium tabular-nums'}>
                  {limitText(limit, ofPlan)}
                </dd>
              </div>
            )
          })}
        </dl>
      </Part>
      <Part title="Corrections" action={<Change what="" verb="Correct" onClick={open('adjust')} />}>
        <p className="px-4 py-3.5 text-muted">
          Give sends of this month back, or put a credit or a charge on the next invoice. Corrections are in the audit
          log.
        </p>
      </Part>
      <Part title="Note" action={<Change what="note" onClick={open('note')} />}>
        <p className="px-4 py-3.5 wrap-anywhere whitespace-pre-wrap">
          {workspace.note === '' ? (
            <span className="text-muted">No note. Users of the workspace do not see it.</span>
          ) : (
            workspace.note
          )}
        </p>
      </Part>
      <Suspense>
        {step === 'plan' && <PlanDialog workspace={workspace} onClose={close} />}
        {step === 'limits' && <LimitsDialog workspace={workspace} onClose={close} />}
        {step === 'note' && <NoteDialog workspace={workspace} onClose={close} />}
        {step === 'adjust' && <AdjustDialog workspace={workspace} onClose={close} />}
      </Suspense>
    </div>
  )
}

const Part = ({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) => (
  <section aria-label={title}>
    <div className="mb-2 flex min-h-8 items-center justify-between gap-4">
      <h2 className="font-semibold">{title}</h2>
      {action}
    </div>
    <Panel>{children}</Panel>
  </section>
)

const Change = ({ what, verb = 'Change', onClick }: { what: string; verb?: string; onClick: () => void }) => (
  <Button size="small" onClick={onClick}>
    {[verb, what].filter(Boolean).join(' ')}…
  </Button>
)
