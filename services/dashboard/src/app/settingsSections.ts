import type { LinkProps } from '@tanstack/react-router'
import {
  Bell,
  Building2,
  Hourglass,
  LockKeyhole,
  type LucideIcon,
  MonitorSmartphone,
  ScrollText,
  ShieldCheck,
  SquareStack,
  UserRound,
  Users,
} from 'lucide-react'
import type { Role } from '../api/types.ts'

/** A section of the settings. */
export type SettingsSection = {
  to: NonNullable<LinkProps['to']>
  label: string
  icon: LucideIcon
  /** The least role that may open it; absent: every role. */
  least?: Role
  /** Whether it needs no second factor where the workspace requires one. */
  isAlwaysOpen?: true
  /** Other words that find it in the palette. */
  words: string
}

/** The sections of the settings by what they concern. */
export const settingsGroups: readonly { label: string; sections: readonly SettingsSection[] }[] = [
  {
    label: 'Workspace',
    sections: [
      {
        to: '/settings',
        label: 'General',
        icon: Building2,
        words: 'settings workspace name sender postal address delete leave danger',
      },
      { to: '/settings/members', label: 'Members', icon: Users, words: 'settings team people invite roles owner' },
      {
        to: '/settings/security',
        label: 'Security',
        icon: ShieldCheck,
        words: 'settings require two-factor totp 2fa members',
      },
      {
        to: '/settings/retention',
        label: 'Data retention',
        icon: Hourglass,
        words: 'settings privacy gdpr erase erasure person days',
      },
      {
        to: '/settings/audit-log',
        label: 'Audit log',
        icon: ScrollText,
        least: 'admin',
        words: 'settings history changes who',
      },
    ],
  },
  {
    label: 'Your account',
    sections: [
      {
        to: '/settings/account',
        label: 'Profile',
        icon: UserRound,
        isAlwaysOpen: true,
        words: 'account settings email address password',
      },
      {
        to: '/settings/two-factor',
        label: 'Two-factor',
        icon: LockKeyhole,
        isAlwaysOpen: true,
        words: 'account settings totp 2fa authenticator recovery codes',
      },
      {
        to: '/settings/sessions',
        label: 'Sessions',
        icon: MonitorSmartphone,
        isAlwaysOpen: true,
        words: 'account settings devices log out',
      },
      {
        to: '/settings/notifications',
        label: 'Notifications',
        icon: Bell,
        words: 'account settings emails alerts',
      },
      {
        to: '/settings/workspaces',
        label: 'Workspaces',
        icon: SquareStack,
        isAlwaysOpen: true,
        words: 'account settings switch leave create workspace',
      },
    ],
  },
]

export const settingsSections: readonly SettingsSection[] = settingsGroups.flatMap((group) => group.sections)

/** Returns whether a path stays open to a person who needs a second factor first. */
export const isAlwaysOpen = (path: string): boolean =>
  settingsSections.some((section) => section.isAlwaysOpen === true && section.to === path)
