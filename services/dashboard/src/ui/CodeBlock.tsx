import { CopyButton } from './CopyButton.tsx'
import { classes } from './classes.ts'

/**
 * Text of a program with a button that copies it.
 * @param label names it for screen readers
 * @param wrap for texts of people
 */
export const CodeBlock = ({ code, label, wrap = false }: { code: string; label: string; wrap?: boolean }) => (
  <div className="flex items-start rounded-lg border border-line bg-sunken text-ink">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
    <section tabIndex={0} aria-label={label} className="max-h-[70vh] min-w-0 flex-1 overflow-auto rounded-lg">
      <pre className={classes('p-4 font-mono text-small', wrap && 'wrap-anywhere whitespace-pre-wrap')}>
        <code>{code}</code>
      </pre>
    </section>
    <CopyButton text={code} label={label} className="m-2" />
  </div>
)
