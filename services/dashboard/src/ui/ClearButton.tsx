import { X } from 'lucide-react'
import { Button } from './Button.tsx'

/** Removes all filters of a list. */
export const ClearButton = ({ onClick }: { onClick: () => void }) => (
  <Button variant="quiet" onClick={onClick}>
    <X aria-hidden className="size-4" />
    Clear
  </Button>
)
