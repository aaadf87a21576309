import { useNavigate } from '@tanstack/react-router'
import {
  BookOpen,
  FlaskConical,
  Globe,
  KeyRound,
  LayoutTemplate,
  LogOut,
  Mail,
  Moon,
  Search,
  Sun,
  Webhook,
} from 'lucide-react'
import { useIsOperator } from '../../api/operatorAccess.ts'
import { useMay, useRank, useSession } from '../../api/session.ts'
import { useMode } from '../mode.tsx'
import { mayOpen, screens } from '../navigation.ts'
import { settingsSections } from '../settingsSections.ts'
import { chooseTheme } from '../theme.ts'
import type { Command } from './command.ts'
import { useFoundRecords } from './useFoundRecords.ts'
import { useLogOut } from './useLogOut.ts'

/** Returns the screens and actions of the palette. @param text what was typed, which may name an email */
export const useCommands = (text: string): readonly Command[] => {
  const navigate = useNavigate()
  const { mode, setMode } = useMode()
  const [maySend, mayManage] = [useMay('member'), useMay('admin')]
  const isAtLeast = useRank()
  const logOut = useLogOut()
  const records = useFoundRecords(text)
  const { role } = useSession()
  const isOperator = useIsOperator()
  const shown = screens.filter((screen) => mayOpen(screen, { role, isOperator }))
  const toScreens = shown.map(({ to, label, icon, key, words = '' }) => ({
    name: label,
    icon,
    words: `open go ${words}`,
    keys: `G ${key.toUpperCase()}`,
    run: () => navigate({ to }),
  }))
  const toSettings = settingsSections
    .filter(({ to, least }) => to !== '/settings' && (least === undefined || isAtLeast(least)))
    .map(({ to, label, icon, words }) => ({
      name: label,
      icon,
      words: `open go ${words}`,
      run: () => navigate({ to }),
    }))
  const actions: Command[] = [
    ...(mayManage
      ? [
          { name: 'Create API key', icon: KeyRound, run: () => navigate({ to: '/keys', search: { create: true } }) },
          { name: 'Add domain', icon: Globe, run: () => navigate({ to: '/domains', search: { create: true } }) },
          {
            name: 'Add endpoint',
            icon: Webhook,
            words: 'webhook',
            run: () => navigate({ to: '/webhooks', search: { create: true } }),
          },
        ]
      : []),
    ...(maySend
      ? [
          {
            name: 'Create template',
            icon: LayoutTemplate,
            run: () => navigate({ to: '/templates', search: { create: true } }),
          },
        ]
      : []),
    {
      name: mode === 'live' ? 'Show test mail' : 'Show live mail',
      icon: FlaskConical,
      words: 'mode switch sandbox',
      run: () => setMode(mode === 'live' ? 'test' : 'live'),
    },
    { name: 'Light appearance', icon: Sun, words: 'theme', run: () => chooseTheme('light') },
    { name: 'Dark appearance', icon: Moon, words: 'theme night', run: () => chooseTheme('dark') },
    { name: 'Documentation', icon: BookOpen, words: 'api reference help guides', run: () => location.assign('/docs') },
    { name: 'Log out', icon: LogOut, words: 'sign out end', run: logOut },
  ]
  return [...toScreens, ...toSettings, ...actions, ...records, ...aboutText(text.trim(), navigate)]
}

const aboutText = (text: string, navigate: ReturnType<typeof useNavigate>): Command[] => {
  if (/^em_\w{10,}$/.test(text)) {
    return [
      {
        name: `Open ${text}`,
        icon: Mail,
        isAboutText: true,
        run: () => navigate({ to: '/emails/$id', params: { id: text } }),
      },
    ]
  }
  if (text.length < 2) return []
  const name = text.includes('@') ? `Emails to ${text}` : `Emails with “${text}” in the subject`
  return [{ name, icon: Search, isAboutText: true, run: () => navigate({ to: '/emails', search: { q: text } }) }]
}
