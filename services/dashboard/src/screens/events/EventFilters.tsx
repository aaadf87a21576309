import { getRouteApi } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { Fragment } from 'react'
import type { EventType } from '../../api/events.ts'
import { present } from '../../app/search.ts'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Menu, MenuCheck, MenuHeading } from '../../ui/Menu.tsx'
import { eventGroups, labelOf } from './eventTypes.ts'

const route = getRouteApi('/member/events')

/** The filters that people need most. */
const presets: readonly { label: string; types: readonly EventType[] }[] = [
  { label: 'All', types: [] },
  { label: 'Delivered', types: ['email.delivered'] },
  {
    label: 'Problems',
    types: [
      'email.deferred',
      'email.bounced',
      'email.failed',
      'email.suppressed',
      'email.unknown',
      'email.complained',
      'domain.failed',
      'quota.warning',
      'quota.exhausted',
      'webhook.disabled',
    ],
  },
  {
    label: 'Workspace',
    types: ['domain.verified', 'domain.failed', 'quota.warning', 'quota.exhausted', 'webhook.disabled'],
  },
]

/** The types that the feed shows. They are in the URL. */
export const EventFilters = ({ types }: { types: readonly EventType[] }) => {
  const navigate = route.useNavigate()
  const show = (chosen: readonly EventType[]) =>
    navigate({ search: present({ type: chosen.length === 0 ? undefined : chosen.join(',') }), replace: true })
  const isShown = (chosen: readonly EventType[]): boolean =>
    chosen.length === types.length && chosen.every((type) => types.includes(type))
  return (
    <search className="flex flex-wrap items-center gap-2">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the controls of a form */}
      <div role="group" aria-label="Kinds of events" className="flex flex-wrap gap-1">
        {presets.map((preset) => (
          <button
            key={preset.label}
            type="button"
            aria-pressed={isShown(preset.types)}
            onClick={() => show(preset.types)}
            className={classes(
              'h-8 rounded-md px-2.5 text-small font-medium transition-colors hover:bg-hover hover:text-ink',
              isShown(preset.types) ? 'bg-hover text-ink' : 'text-muted',
            )}
          >
            {preset.label}
          </button>
        ))}
      </div>
      <Menu
        label="Types of events"
        align="start"
        trigger={
          <Button size="small">
            {types.length === 0
              ? 'Any type'
              : types.length === 1
                ? labelOf(types[0] ?? 'email.sent').label
                : `${types.length} types`}
            <ChevronDown aria-hidden className="size-4 text-muted" />
          </Button>
        }
      >
        {eventGroups.map((group) => (
          <Fragment key={group.title}>
            <MenuHeading>{group.title}</MenuHeading>
            {group.types.map((type) => (
              <MenuCheck
                key={type}
                checked={types.includes(type)}
                onChange={(isOn) => show(isOn ? [...types, type] : types.filter((other) => other !== type))}
              >
                {labelOf(type).label}
              </MenuCheck>
            ))}
          </Fragment>
        ))}
      </Menu>
    </search>
  )
}
