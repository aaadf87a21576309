import { Download, Paperclip } from 'lucide-react'
import { type CapturedEmailDetail, capturedPaths } from '../../api/mailbox.ts'
import { Button } from '../../ui/Button.tsx'
import { sizeText } from '../../ui/sizes.ts'
import { Panel } from '../../ui/Table.tsx'

/** The files of a message. Browsers save them and never open them as pages of this service. */
export const Attachments = ({ mail }: { mail: CapturedEmailDetail }) => (
  <Panel>
    <ul className="divide-y divide-line">
      {mail.attachments.map(({ filename, content_type, content_id, size }, number) => (
        // The files of a message never change, and several may have one name.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <li key={number} className="flex items-center gap-3 px-4 py-3">
          <Paperclip aria-hidden className="size-4 shrink-0 text-faint" />
          <span className="min-w-0 flex-1">
            <span className="block truncate text-small font-medium">{filename || 'Without a name'}</span>
            <span className="block truncate text-tiny text-muted">
              {content_type}, {size === null ? 'removed' : sizeText(size)}
              {content_id !== null && ', shown in the HTML'}
            </span>
          </span>
          {size !== null && (
            <Button asChild size="small">
              <a href={capturedPaths(mail.id).attachment(number)} download aria-label={`Download ${filename}`}>
                <Download aria-hidden className="size-4" />
                Download
              </a>
            </Button>
          )}
        </li>
      ))}
    </ul>
  </Panel>
)
