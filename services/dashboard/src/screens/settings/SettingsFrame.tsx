import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { Fragment, Suspense } from 'react'
import { needsTotp, useRank, useSession } from '../../api/session.ts'
import { type SettingsSection, settingsGroups, settingsSections } from '../../app/settingsSections.ts'
import { Button } from '../../ui/Button.tsx'
import { Menu, MenuHeading, MenuLink } from '../../ui/Menu.tsx'

const item =
  'flex h-8 items-center gap-2.5 rounded-md px-2 text-small text-muted transition-colors hover:bg-hover hover:text-ink data-[status=active]:bg-hover data-[status=active]:font-medium data-[status=active]:text-ink'

/** Returns the sections that the person may open, by group. */
const useOpenGroups = () => {
  const session = useSession()
  const isAtLeast = useRank()
  const isOpen = ({ least, isAlwaysOpen }: SettingsSection): boolean =>
    (least === undefined || isAtLeast(least)) && (isAlwaysOpen === true || !needsTotp(session))
  return settingsGroups
    .map(({ label, sections }) => ({ label, sections: sections.filter(isOpen) }))
    .filter(({ sections }) => sections.length > 0)
}

/** The sections of the settings: next to the chosen one, or on a narrow screen in a menu above it. */
export const SettingsFrame = () => {
  const groups = useOpenGroups()
  return (
    <div className="mx-auto w-full max-w-6xl xl:grid xl:grid-cols-[12rem_minmax(0,1fr)] xl:pl-8">
      <nav aria-label="Settings" className="sticky top-0 flex flex-col gap-5 self-start pt-9 max-xl:hidden">
        {groups.map(({ label, sections }) => (
          <div key={label} className="flex flex-col gap-0.5">
            <p className="px-2 pb-1 text-tiny font-medium text-faint">{label}</p>
            {sections.map(({ to, label: name, icon: Icon }) => (
              <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }} className={item}>
                <Icon aria-hidden className="size-4" />
                {name}
              </Link>
            ))}
          </div>
        ))}
      </nav>
      <SectionMenu groups={groups} />
      <div className="min-w-0">
        <Suspense>
          <Outlet />
        </Suspense>
      </div>
    </div>
  )
}

const SectionMenu = ({ groups }: { groups: ReturnType<typeof useOpenGroups> }) => {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const chosen = settingsSections.find(({ to }) => to === path.replace(/(.)\/$/, '$1'))
  return (
    <nav aria-label="Settings" className="px-4 pt-4 sm:px-8 xl:hidden">
      <Menu
        label="Sections of the settings"
        align="start"
        trigger={
          <Button size="small" className="max-lg:h-10">
            <span className="text-muted">Settings</span>
            {chosen?.label}
            <ChevronDown aria-hidden className="size-4 text-muted" />
          </Button>
        }
      >
        {groups.map(({ label, sections }) => (
          <Fragment key={label}>
            <MenuHeading>{label}</MenuHeading>
            {sections.map(({ to, label: name, icon: Icon }) => (
              <MenuLink key={to}>
                <Link to={to} activeOptions={{ exact: true, includeSearch: false }}>
                  <Icon aria-hidden className="size-4 text-muted" />
                  {name}
                </Link>
              </MenuLink>
            ))}
          </Fragment>
        ))}
      </Menu>
    </nav>
  )
}
