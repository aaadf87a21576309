import { type ComponentProps, useState } from 'react'
import { TextInput } from '../../ui/controls.tsx'
import { Field } from '../../ui/Field.tsx'

/** The code of a second factor, or one of the recovery codes. Both are the same field of the API. */
export const CodeField = ({ error, ...props }: ComponentProps<'input'> & { error: string | undefined }) => {
  const [isRecovery, setRecovery] = useState(false)
  return (
    <>
      <Field
        label={isRecovery ? 'Recovery code' : 'Code from your app'}
        hint={isRecovery ? 'Each recovery code works once.' : 'Six digits, from the app that you set up.'}
        error={error}
      >
        <TextInput
          {...props}
          key={isRecovery ? 'recovery' : 'app'}
          autoComplete="one-time-code"
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoFocus
          spellCheck={false}
          className="font-mono tracking-widest"
        />
      </Field>
      <button
        type="button"
        onClick={() => setRecovery(!isRecovery)}
        className="self-start text-small text-muted underline-offset-3 hover:underline"
      >
        {isRecovery ? 'Use the app instead' : 'Use a recovery code'}
      </button>
    </>
  )
}
