import { useNavigate } from '@tanstack/react-router'
import { BookOpen, LayoutDashboard, LogOut, Moon, Search, Sun } from 'lucide-react'
import { operatorScreens } from '../../app/operatorNavigation.ts'
import type { Command } from '../../app/shell/command.ts'
import { chooseTheme } from '../../app/theme.ts'
import { leaveOperatorArea } from './leave.ts'

/** Returns the screens and actions of the operator's palette. @param text what was typed, which may name a customer */
export const useOperatorCommands = (text: string): readonly Command[] => {
  const navigate = useNavigate()
  const q = text.trim()
  const searches: Command[] = [
    {
      name: `Workspaces with “${q}”`,
      icon: Search,
      isAboutText: true,
      run: () => navigate({ to: '/operator/workspaces', search: { q } }),
    },
    {
      name: `Users with “${q}”`,
      icon: Search,
      isAboutText: true,
      run: () => navigate({ to: '/operator/users', search: { q } }),
    },
  ]
  return [
    ...operatorScreens.map(({ to, label, icon, key, words = '' }) => ({
      name: label,
      icon,
      words: `open go ${words}`,
      keys: `G ${key.toUpperCase()}`,
      run: () => navigate({ to }),
    })),
    { name: 'Light appearance', icon: Sun, words: 'theme', run: () => chooseTheme('light') },
    { name: 'Dark appearance', icon: Moon, words: 'theme night', run: () => chooseTheme('dark') },
    { name: 'Dashboard of a workspace', icon: LayoutDashboard, words: 'home', run: () => navigate({ to: '/' }) },
    { name: 'Documentation', icon: BookOpen, words: 'api reference help', run: () => location.assign('/docs') },
    { name: 'Forget the token', icon: LogOut, words: 'log out sign out end leave', run: leaveOperatorArea },
    ...(q.length < 2 ? [] : searches),
  ]
}
