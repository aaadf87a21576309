import type { LinkProps } from '@tanstack/react-router'
import {
  Activity,
  ChartColumn,
  CreditCard,
  Globe,
  Inbox,
  KeyRound,
  LayoutTemplate,
  type LucideIcon,
  Mails,
  Rocket,
  ServerCog,
  Settings,
  Webhook,
} from 'lucide-react'
import type { Role } from '../api/types.ts'

/** A screen of the navigation and of the palette. `key` follows G on the keyboard. */
export type Screen = {
  to: NonNullable<LinkProps['to']>
  label: string
  icon: LucideIcon
  key: string
  /** Other words that find it in the palette. */
  words?: string
  /** The only role that may use it, or the operator of the service; absent: every role may. */
  only?: Role | 'operator'
}

/** Screens under a heading; null: without one. */
export type ScreenGroup = { label: string | null; screens: readonly Screen[] }

/** The screens by group, in the order of the sidebar. */
export const navigation: readonly ScreenGroup[] = [
  {
    label: null,
    screens: [
      {
        to: '/overview',
        label: 'Overview',
        icon: ChartColumn,
        key: 'o',
        words: 'home stats statistics charts volume bounce rate quota usage',
      },
      { to: '/getting-started', label: 'Getting started', icon: Rocket, key: 's', words: 'setup first quickstart' },
      { to: '/emails', label: 'Emails', icon: Mails, key: 'e', words: 'messages log sent mail' },
      {
        to: '/templates',
        label: 'Templates',
        icon: LayoutTemplate,
        key: 't',
        words: 'handlebars html placeholders editor',
      },
      {
        to: '/mailbox',
        label: 'Mailbox',
        icon: Inbox,
        key: 'm',
        words: 'captured inbox local mailbox: route caught',
        only: 'owner',
      },
      { to: '/domains', label: 'Domains', icon: Globe, key: 'd', words: 'dns records dkim spf dmarc sender verify' },
    ],
  },
  {
    label: 'API',
    screens: [
      { to: '/keys', label: 'Keys', icon: KeyRound, key: 'k', words: 'api tokens secrets' },
      { to: '/webhooks', label: 'Webhooks', icon: Webhook, key: 'w', words: 'endpoints callbacks deliveries url' },
      { to: '/events', label: 'Events', icon: Activity, key: 'v', words: 'feed log activity payload' },
    ],
  },
  {
    label: 'Workspace',
    screens: [
      {
        to: '/billing',
        label: 'Billing',
        icon: CreditCard,
        key: 'b',
        words: 'plan upgrade downgrade usage quota invoices payment spending cap overage price',
      },
      { to: '/settings', label: 'Settings', icon: Settings, key: 'c', words: 'configure preferences account' },
    ],
  },
  {
    label: 'Service',
    screens: [
      {
        to: '/operator',
        label: 'Operator',
        icon: ServerCog,
        key: 'p',
        words: 'admin all workspaces users limits health',
        only: 'operator',
      },
    ],
  },
]

/** Returns whether a screen is offered to a person of this role, who may act as the operator or not. */
export const mayOpen = ({ only }: Screen, { role, isOperator }: { role: Role; isOperator: boolean }): boolean =>
  only === undefined || only === role || (only === 'operator' && isOperator)

export const screens: readonly Screen[] = navigation.flatMap((group) => group.screens)
