import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** Tabs with views of the same object. Only the selected view is rendered. */
export const Tabs = <Name extends string>({
  label,
  value,
  onChange,
  tabs,
  children,
}: {
  label: string
  value: Name
  onChange: (name: Name) => void
  tabs: readonly { name: Name; label: ReactNode }[]
  children: ReactNode
}) => (
  <Radix.Root value={value} onValueChange={(name) => onChange(name as Name)}>
    <Radix.List aria-label={label} className="flex gap-5 overflow-x-auto border-b border-line px-0.5">
      {tabs.map((tab) => (
        <Radix.Trigger
          key={tab.name}
          value={tab.name}
          className="-mb-px h-10 shrink-0 border-b-2 border-transparent text-small font-medium text-muted transition-colors hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-ink data-[state=active]:text-ink"
        >
          {tab.label}
        </Radix.Trigger>
      ))}
    </Radix.List>
    <Radix.Content value={value} className="pt-4 focus-visible:outline-offset-4">
      {children}
    </Radix.Content>
  </Radix.Root>
)
