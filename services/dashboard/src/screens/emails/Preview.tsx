import { useQuery } from '@tanstack/react-query'
import { ImageOff, Monitor, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { contentQuery } from '../../api/emails.ts'
import type { EmailDetail } from '../../api/types.ts'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Removed } from './Removed.tsx'

const widths = { desktop: 'w-full', phone: 'w-[390px] max-w-full' } as const

/** The HTML part of an email. */
export const Preview = ({ email }: { email: EmailDetail }) => {
  const { data } = useQuery({ ...contentQuery(useApi(), email.id), enabled: email.content_removed_at === null })
  if (email.content_removed_at !== null) return <Removed at={email.content_removed_at} />
  if (data && data.html === null) {
    return <p className="py-10 text-center text-muted">This email has no HTML part. Its text is in the next tab.</p>
  }
  return <FramedHtml path={`/api/v1/emails/${encodeURIComponent(email.id)}/html`} />
}

/**
 * The HTML part as a reader sees it. The gateway serves it with a policy of its own, and the frame allows no script, no
 * form and no access to this page. Images of other hosts are loaded only after the person allows it.
 */
export const FramedHtml = ({ path }: { path: string }) => {
  const [width, setWidth] = useState<keyof typeof widths>('desktop')
  const [hasImages, setImages] = useState(false)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-1">
        {hasImages ? (
          <span className="text-small text-muted">Images of other hosts are shown.</span>
        ) : (
          <Button size="small" variant="quiet" onClick={() => setImages(true)}>
            <ImageOff aria-hidden className="size-4" />
            Load images of other hosts
          </Button>
        )}
        <span className="ml-auto flex gap-1 max-sm:hidden">
          <IconButton
            icon={Monitor}
            label="Desktop width"
            aria-pressed={width === 'desktop'}
            className="aria-pressed:bg-hover aria-pressed:text-ink"
            onClick={() => setWidth('desktop')}
          />
          <IconButton
            icon={Smartphone}
            label="Phone width"
            aria-pressed={width === 'phone'}
            className="aria-pressed:bg-hover aria-pressed:text-ink"
            onClick={() => setWidth('phone')}
          />
        </span>
      </div>
      <iframe
        title="HTML of the email"
        sandbox=""
        src={`${path}${hasImages ? '?images=show' : ''}`}
        className={classes('mx-auto block h-[70vh] rounded-lg border border-line bg-white', widths[width])}
      />
    </div>
  )
}
