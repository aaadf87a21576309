import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { IconButton } from './IconButton.tsx'

/** Begins at the first field, where there is one, and not at the button that closes the dialog. */
const focusFirstField = (event: Event): void => {
  const content = event.currentTarget
  if (!(content instanceof HTMLElement)) return
  const field = content.querySelector<HTMLElement>('input:not([type=radio], [type=checkbox]), select, textarea')
  if (field === null) return
  event.preventDefault()
  field.focus()
}

/** A dialog over the page. On a phone it is as wide as the screen, at its lower edge. */
export const Dialog = ({
  open,
  onClose,
  title,
  description,
  wide = false,
  keepOpen = false,
  children,
}: {
  open: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  wide?: boolean
  /** Whether only its buttons close it, because it shows something once. */
  keepOpen?: boolean
  children: ReactNode
}) => (
  <Radix.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
    <Radix.Portal>
      <Radix.Overlay className="overlay fixed inset-0 z-40" />
      <Radix.Content
        data-modal
        {...(description === undefined && { 'aria-describedby': undefined })}
        onOpenAutoFocus={focusFirstField}
        onPointerDownOutside={(event) => keepOpen && event.preventDefault()}
        onEscapeKeyDown={(event) => keepOpen && event.preventDefault()}
        className={classes(
          'fixed z-40 flex max-h-[calc(100dvh-3rem)] flex-col overflow-hidden bg-surface shadow-float focus:outline-none',
          'max-sm:inset-x-0 max-sm:bottom-0 max-sm:rounded-t-xl sm:top-[12vh] sm:left-1/2 sm:max-h-[76vh] sm:w-full sm:-translate-x-1/2 sm:rounded-xl',
          wide ? 'sm:max-w-2xl' : 'sm:max-w-md',
        )}
      >
        <div className="flex items-start gap-4 px-5 pt-4 pb-1">
          <div className="min-w-0 flex-1">
            <Radix.Title className="text-lead font-semibold">{title}</Radix.Title>
            {description !== undefined && (
              <Radix.Description className="mt-0.5 text-small text-muted">{description}</Radix.Description>
            )}
          </div>
          {!keepOpen && (
            <Radix.Close asChild>
              <IconButton icon={X} label="Close" className="-mr-1.5" />
            </Radix.Close>
          )}
        </div>
        <div className="overflow-y-auto px-5 pt-3 not-has-data-dialog-actions:pb-5 scroll-pb-20">{children}</div>
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

/** The buttons of a dialog, the main one last. They stay visible at its lower edge. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div
    data-dialog-actions
    className="sticky bottom-0 -mx-5 mt-4 flex flex-wrap justify-end gap-2 border-t border-line bg-surface px-5 py-3.5"
  >
    {children}
  </div>
)
