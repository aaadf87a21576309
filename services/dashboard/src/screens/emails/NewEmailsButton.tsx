import { ArrowUp } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'

/** Shows that new emails arrived while the list was in use. It lies above the rows, so that none of them moves. */
export const NewEmailsButton = ({ count, onShow }: { count: number; onShow: () => void }) => (
  <div role="status" className="sticky top-14 z-10 flex h-0 justify-center lg:top-4">
    {count > 0 && (
      <Button size="small" look="solid" onClick={onShow} className="mt-7 rounded-full shadow-float">
        <ArrowUp aria-hidden className="size-4" />
        {count === 1 ? '1 new email' : `${count} new emails`}
      </Button>
    )}
  </div>
)
