import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { TextInput } from '../../ui/controls.tsx'
import { IconButton } from '../../ui/IconButton.tsx'

/** A secret that can be shown while it is typed. @param secret what it is */
export const PasswordInput = ({ secret = 'password', ...props }: ComponentProps<'input'> & { secret?: string }) => {
  const [isShown, setShown] = useState(false)
  return (
    <span className="relative block">
      <TextInput {...props} type={isShown ? 'text' : 'password'} className="pr-10" />
      <IconButton
        icon={isShown ? EyeOff : Eye}
        label={`${isShown ? 'Hide' : 'Show'} ${secret}`}
        aria-pressed={isShown}
        className="absolute top-0.5 right-0.5"
        onClick={() => setShown(!isShown)}
      />
    </span>
  )
}
