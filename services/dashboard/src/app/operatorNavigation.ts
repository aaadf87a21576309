import {
  Activity,
  Building2,
  CircleParking,
  Globe,
  Layers,
  ReceiptText,
  ScrollText,
  ShieldUser,
  Users,
} from 'lucide-react'
import type { Screen, ScreenGroup } from './navigation.ts'

/** The screens of the operator by group, in the order of the sidebar. */
export const operatorNavigation: readonly ScreenGroup[] = [
  {
    label: 'Customers',
    screens: [
      {
        to: '/operator/workspaces',
        label: 'Workspaces',
        icon: Building2,
        key: 'w',
        words: 'customers tenants plans limits quota rate stop suspend delete restore',
      },
      { to: '/operator/users', label: 'Users', icon: Users, key: 'u', words: 'people accounts disable' },
      { to: '/operator/invoices', label: 'Invoices', icon: ReceiptText, key: 'i', words: 'billing paid void open' },
    ],
  },
  {
    label: 'Service',
    screens: [
      { to: '/operator/health', label: 'Health', icon: Activity, key: 'h', words: 'ready parts retention removal' },
      {
        to: '/operator/queues',
        label: 'Queues',
        icon: Layers,
        key: 'q',
        words: 'waiting due deferred scheduled backlog lanes destinations',
      },
      {
        to: '/operator/parked',
        label: 'Parked mail',
        icon: CircleParking,
        key: 'p',
        words: 'stuck release drop workers decision',
      },
      {
        to: '/operator/sender-domain',
        label: 'Sender domain',
        icon: Globe,
        key: 'd',
        words: 'platform shared sender dns dkim spf',
      },
      {
        to: '/operator/operators',
        label: 'Operators',
        icon: ShieldUser,
        key: 'o',
        words: 'people access add remove who may',
      },
      { to: '/operator/audit-log', label: 'Audit log', icon: ScrollText, key: 'a', words: 'history changes who' },
    ],
  },
]

export const operatorScreens: readonly Screen[] = operatorNavigation.flatMap((group) => group.screens)
