import { ArrowUp } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import type { LiveList } from './useLiveList.ts'

/** What a list has: `one` and `many` are words such as "email" and "emails". */
type Words = { one: string; many: string }
type List = LiveList<{ id: string }>

/** Shows that new entries arrived while the list was in use. It lies above the rows, so that none of them moves. */
export const NewRowsButton = ({ list, one, many }: Words & { list: Pick<List, 'unseen' | 'showUnseen'> }) => (
  <div role="status" className="sticky top-14 z-10 flex h-0 justify-center lg:top-4">
    {list.unseen > 0 && (
      <Button size="small" variant="solid" onClick={list.showUnseen} className="mt-7 rounded-full shadow-float">
        <ArrowUp aria-hidden className="size-4" />
        {list.unseen === 1 ? `1 new ${one}` : `${list.unseen} new ${many}`}
      </Button>
    )}
  </div>
)

/** The end of a list. When it comes into view, older entries are read. */
export const ListEnd = ({
  list,
  many,
}: Pick<Words, 'many'> & { list: Pick<List, 'endRef' | 'isReading' | 'hasMore' | 'readMore'> }) => (
  <div ref={list.endRef} className="flex h-14 items-center justify-center text-small text-muted">
    {list.isReading ? (
      <span role="status">Reading more…</span>
    ) : list.hasMore ? (
      <Button size="small" variant="quiet" onClick={list.readMore}>
        Show older {many}
      </Button>
    ) : (
      <span>That is all.</span>
    )}
  </div>
)
