import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { TextInput } from '../../ui/controls.tsx'
import { IconButton } from '../../ui/IconButton.tsx'

/** A password that can be shown while it is typed. */
export const PasswordInput = (props: ComponentProps<'input'>) => {
  const [isShown, setShown] = useState(false)
  return (
    <span className="relative block">
      <TextInput {...props} type={isShown ? 'text' : 'password'} className="pr-10" />
      <IconButton
        icon={isShown ? EyeOff : Eye}
        label={isShown ? 'Hide password' : 'Show password'}
        aria-pressed={isShown}
        className="absolute top-0.5 right-0.5"
        onClick={() => setShown(!isShown)}
      />
    </span>
  )
}
