import { CopyButton } from './CopyButton.tsx'

/** An id with a button that copies it. */
export const Id = ({ id, label }: { id: string; label: string }) => (
  <span className="-my-1.5 flex items-center gap-1">
    <span className="min-w-0 truncate font-mono text-tiny" title={id}>
      {id}
    </span>
    <CopyButton text={id} label={label} className="size-7" />
  </span>
)
