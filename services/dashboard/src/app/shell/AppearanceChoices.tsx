import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { MenuChoices, MenuHeading } from '../../ui/Menu.tsx'
import { chooseTheme, storedTheme, type Theme } from '../theme.ts'

const themeChoices: readonly { value: Theme; name: string; icon: typeof Sun }[] = [
  { value: 'system', name: 'As the system', icon: Monitor },
  { value: 'light', name: 'Light', icon: Sun },
  { value: 'dark', name: 'Dark', icon: Moon },
]

/** The theme of this browser, in a menu. */
export const AppearanceChoices = () => {
  const [theme, setTheme] = useState(storedTheme)
  const choose = (chosen: Theme) => {
    chooseTheme(chosen)
    setTheme(chosen)
  }
  return (
    <>
      <MenuHeading>Appearance</MenuHeading>
      <MenuChoices
        label="Appearance"
        value={theme}
        onChange={choose}
        choices={themeChoices.map(({ value, name, icon: Icon }) => ({
          value,
          label: (
            <>
              <Icon aria-hidden className="size-4 text-muted" />
              {name}
            </>
          ),
        }))}
      />
    </>
  )
}
