import { ImageOff, Monitor, Smartphone } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { TemplatePreview } from '../../api/templates.ts'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { HtmlFrame, maxFrameBytes } from './HtmlFrame.tsx'

const widths = { desktop: 800, phone: 390 } as const
const heightPx = 560

/** Returns a ref and the width of its element in pixels. */
const useWidth = () => {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (ref.current === null) return undefined
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [])
  return [ref, width] as const
}

/** Shows what a reader would see: the subject, and the HTML at the width of a phone or a desktop, else the text. */
export const Preview = ({ preview, part }: { preview: TemplatePreview; part: 'html' | 'text' }) => {
  const [device, setDevice] = useState<keyof typeof widths>('desktop')
  const [hasImages, setImages] = useState(false)
  const [ref, available] = useWidth()
  const wanted = device === 'phone' ? widths.phone : Math.max(widths.desktop, available)
  const scale = available === 0 ? 1 : Math.min(1, available / wanted)
  const { html_body: html, text_body: text, subject } = preview
  const isTooLong = html !== null && new TextEncoder().encode(html).length > maxFrameBytes
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="flex items-center gap-2 border-b border-line py-1.5 pr-2 pl-3">
        <p className="min-w-0 flex-1 truncate text-small" title={subject}>
          <span className="text-faint">Subject </span>
          <span className="font-medium">{subject}</span>
        </p>
        {part === 'html' && (
          <>
            <IconButton
              icon={ImageOff}
              label="Load images of other hosts"
              aria-pressed={hasImages}
              className="aria-pressed:bg-hover aria-pressed:text-ink"
              onClick={() => setImages(!hasImages)}
            />
            <IconButton
              icon={Monitor}
              label="Desktop width"
              aria-pressed={device === 'desktop'}
              className="aria-pressed:bg-hover aria-pressed:text-ink"
              onClick={() => setDevice('desktop')}
            />
            <IconButton
              icon={Smartphone}
              label="Phone width"
              aria-pressed={device === 'phone'}
              className="aria-pressed:bg-hover aria-pressed:text-ink"
              onClick={() => setDevice('phone')}
            />
          </>
        )}
      </div>
      <div ref={ref} className="overflow-hidden bg-sunken" style={{ height: part === 'html' ? heightPx : 'auto' }}>
        {part === 'text' || html === null ? (
          <CodeBlock code={text ?? ''} label="rendered text" wrap />
        ) : isTooLong ? (
          <p className="p-6 text-center text-muted">
            This HTML has more than {maxFrameBytes / 1_024} KiB, so it is not shown here. Send a test to see it.
          </p>
        ) : (
          <div
            className="mx-auto origin-top-left"
            style={{
              width: wanted,
              height: heightPx / scale,
              transform: scale < 1 ? `scale(${scale})` : undefined,
            }}
          >
            <HtmlFrame html={html} hasImages={hasImages} className="h-full w-full" />
          </div>
        )}
      </div>
    </div>
  )
}
