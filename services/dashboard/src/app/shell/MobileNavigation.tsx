import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from '../../ui/IconButton.tsx'

/** The sidebar of narrow screens. */
export const MobileNavigation = ({
  open,
  onClose,
  children,
}: {
  open: boolean
  onClose: () => void
  children: ReactNode
}) => (
  <Dialog.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
    <Dialog.Portal>
      <Dialog.Overlay className="overlay fixed inset-0 z-30" />
      <Dialog.Content
        data-modal
        aria-describedby={undefined}
        className="fixed inset-y-0 left-0 z-30 flex w-72 max-w-[85vw] flex-col bg-page shadow-float outline-none"
      >
        <Dialog.Title className="sr-only">Navigation</Dialog.Title>
        <div className="flex h-12 items-center justify-end px-2">
          <Dialog.Close asChild>
            <IconButton icon={X} label="Close navigation" className="size-10" />
          </Dialog.Close>
        </div>
        {children}
      </Dialog.Content>
    </Dialog.Portal>
  </Dialog.Root>
)
