import { useNavigate } from '@tanstack/react-router'
import { BookOpen, LayoutDashboard, LogOut, Moon, Search, Sun } from 'lucide-react'
import { operatorScreens } from '../../app/operatorNavigation.ts'
import type { Command } from '../../app/shell/command.ts'
import { useLogOut } from '../../app/shell/useLogOut.ts'
import { chooseTheme } from '../../app/theme.ts'
import { leaveOperatorArea } from './leave.ts'

/**
 * Returns the palette's entries for a tab with the operator's token.
 * @param text what was typed, which may name a customer
 */
export const useTokenCommands = (text: string): readonly Command[] =>
  useOperatorCommands(text, {
    name: 'Forget the token',
    icon: LogOut,
    words: 'log out sign out end leave',
    run: leaveOperatorArea,
  })

/** Returns the palette's entries for a person who is an operator. */
export const useSessionCommands = (text: string): readonly Command[] =>
  useOperatorCommands(text, { name: 'Log out', icon: LogOut, words: 'sign out end leave', run: useLogOut() })

/** @param end what ends the operator's use of the tab */
const useOperatorCommands = (text: string, end: Command): readonly Command[] => {
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
    end,
    ...(q.length < 2 ? [] : searches),
  ]
}
