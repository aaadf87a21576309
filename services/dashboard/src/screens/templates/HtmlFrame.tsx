import { useEffect, useId, useRef, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { classes } from '../../ui/classes.ts'

/** Maximum number of bytes of HTML that the gateway shows in a frame. */
export const maxFrameBytes = 256 * 1_024

type Content = { number: number; html: string; hasImages: boolean }

/**
 * HTML of a template as a reader sees it. A form sends it to the gateway, which returns a page with a policy of its
 * own: nothing in it runs, and it has no access to this page. Each content has a frame of its own: another page in the
 * same frame would be a step of the browser's history. The last frame is shown until the next one is loaded.
 */
export const HtmlFrame = ({ html, hasImages, className }: { html: string; hasImages: boolean; className: string }) => {
  const { csrf_token } = useSession()
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const sent = useRef(0)
  const [content, setContent] = useState<Content>({ number: 1, html, hasImages })
  const [shown, setShown] = useState(0)
  if (content.html !== html || content.hasImages !== hasImages) {
    setContent({ number: content.number + 1, html, hasImages })
  }
  const frameName = (number: number): string => `${id}-${number}`
  const { number } = content
  useEffect(() => {
    sent.current = number
    form.current?.submit()
  }, [number])
  return (
    <div className={classes('relative', className)}>
      <form ref={form} method="post" action="/templates/preview" target={frameName(number)} hidden>
        <input type="hidden" name="csrf_token" value={csrf_token} />
        <input type="hidden" name="images" value={content.hasImages ? 'show' : 'block'} />
        <input type="hidden" name="html" value={content.html} />
      </form>
      {[...new Set([shown, number])]
        .filter((one) => one > 0)
        .map((one) => (
          <iframe
            key={one}
            name={frameName(one)}
            title="Preview of the HTML"
            sandbox=""
            aria-hidden={one !== shown && shown > 0}
            // An empty frame is loaded immediately, before the form is sent.
            onLoad={() => one === sent.current && setShown(one)}
            className={classes(
              'absolute inset-0 h-full w-full bg-white',
              one !== shown && shown > 0 && 'pointer-events-none opacity-0',
            )}
          />
        ))}
    </div>
  )
}
