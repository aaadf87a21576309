import { CopyButton } from './CopyButton.tsx'
import { classes } from './classes.ts'

/** Text of a program with a button that copies it. @param label names it for screen readers */
export const CodeBlock = ({ code, label, className }: { code: string; label: string; className?: string }) => (
  <div className={classes('relative rounded-lg border border-line bg-sunken', className)}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
    <section tabIndex={0} aria-label={label} className="max-h-[70vh] overflow-auto rounded-lg">
      <pre className="p-4 pr-12 font-mono text-small">
        <code>{code}</code>
      </pre>
    </section>
    <CopyButton text={code} label={label} className="absolute top-2 right-2 bg-sunken" />
  </div>
)
