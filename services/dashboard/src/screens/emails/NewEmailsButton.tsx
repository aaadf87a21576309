import { ArrowUp } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'

/** Shows that new emails arrived while the list was in use, without moving its rows. */
export const NewEmailsButton = ({ count, onShow }: { count: number; onShow: () => void }) => (
  <span role="status" className="flex h-9 items-center">
    {count > 0 && (
      <Button size="small" onClick={onShow}>
        <ArrowUp aria-hidden className="size-4" />
        {count === 1 ? '1 new email' : `${count} new emails`}
      </Button>
    )}
  </span>
)
