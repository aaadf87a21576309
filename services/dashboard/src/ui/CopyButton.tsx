import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './Button.tsx'
import { IconButton } from './IconButton.tsx'
import { useToast } from './Toast.tsx'

const shownMs = 1_600

/** Returns whether a text was copied just now, and a function that copies it. */
const useCopy = (text: string): [boolean, () => void] => {
  const [isCopied, setCopied] = useState(false)
  const toast = useToast()
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () => {
    // Outside a secure context browsers have no clipboard.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
    written.then(
      () => setCopied(true),
      () => toast({ tone: 'bad', title: 'The browser did not allow copying. Select the text and copy it.' }),
    )
  }
  return [isCopied, copy]
}

/** Copies a text. @param label what is copied, such as "API key" */
export const CopyButton = ({ text, label, className }: { text: string; label: string; className?: string }) => {
  const [isCopied, copy] = useCopy(text)
  return (
    <>
      <IconButton icon={isCopied ? Check : Copy} label={`Copy ${label}`} onClick={copy} className={className} />
      <span role="status" className="sr-only">
        {isCopied ? `Copied ${label}` : ''}
      </span>
    </>
  )
}

/** Copies a text. The button has words, for the main action of a dialog. */
export const CopyTextButton = ({ text, label }: { text: string; label: string }) => {
  const [isCopied, copy] = useCopy(text)
  return (
    <>
      <Button variant="solid" onClick={copy}>
        {isCopied ? <Check aria-hidden className="size-4" /> : <Copy aria-hidden className="size-4" />}
        {isCopied ? 'Copied' : `Copy ${label}`}
      </Button>
      <span role="status" className="sr-only">
        {isCopied ? `Copied ${label}` : ''}
      </span>
    </>
  )
}
