import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { contentQuery, rawQuery } from '../../api/emails.ts'
import type { EmailDetail } from '../../api/types.ts'
import { Button } from '../../ui/Button.tsx'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Removed } from './Removed.tsx'

/** Shows the result of a read, its error, or a placeholder. */
export const Read = <Data,>({
  query: { data, error, refetch },
  children,
}: {
  query: { data: Data | undefined; error: unknown; refetch: () => void }
  children: (data: Data) => ReactNode
}) => {
  if (data !== undefined) return children(data)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  return (
    <div role="status" aria-label="Reading the message">
      <Skeleton className="h-64 w-full" />
    </div>
  )
}

/** The text part. */
export const TextView = ({ email }: { email: EmailDetail }) => {
  const query = useQuery({ ...contentQuery(useApi(), email.id), enabled: email.content_removed_at === null })
  if (email.content_removed_at !== null) return <Removed at={email.content_removed_at} />
  return (
    <Read query={query}>
      {({ text }) =>
        text === null ? (
          <p className="py-8 text-center text-muted">This email has no text part.</p>
        ) : (
          <CodeBlock code={text} label="text of the email" wrap />
        )
      }
    </Read>
  )
}

/** The fields of the message's head, and its files. */
export const HeadersView = ({ email }: { email: EmailDetail }) => {
  const api = useApi()
  const isStored = email.content_removed_at === null
  const raw = useQuery({ ...rawQuery(api, email.id), enabled: isStored })
  const content = useQuery({ ...contentQuery(api, email.id), enabled: isStored })
  if (email.content_removed_at !== null) return <Removed at={email.content_removed_at} />
  return (
    <Read query={raw}>
      {(text) => (
        <div className="flex flex-col gap-6">
          <HeaderFacts raw={text} />
          {(content.data?.attachments.length ?? 0) > 0 && (
            <section>
              <h2 className="mb-2 text-small font-medium">Files</h2>
              <Facts
                facts={(content.data?.attachments ?? []).map(({ filename, content_type, size }) => [
                  filename,
                  `${content_type}, ${size === null ? 'removed' : `${Math.ceil(size / 1_024)} KiB`}`,
                ])}
              />
            </section>
          )}
        </div>
      )}
    </Read>
  )
}

/** The fields of the head of a message. */
export const HeaderFacts = ({ raw }: { raw: string }) => (
  <Facts
    facts={headerFields(raw).map(([name, value]) => [
      name,
      <span key={name} className="font-mono text-tiny wrap-anywhere">
        {value}
      </span>,
    ])}
  />
)

/** Returns the fields of a head in their order; folded lines are joined (RFC 5322 §2.2.3). */
const headerFields = (raw: string): [string, string][] => {
  const head = raw.split(/\r?\n\r?\n/, 1)[0] ?? ''
  return head
    .replaceAll(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    })
    .filter(([name]) => name !== '')
}

/** Maximum number of characters that are shown; the file has the rest. */
const maxShown = 200_000

/** The whole message as it was sent. */
export const RawView = ({ email }: { email: EmailDetail }) => {
  const query = useQuery({ ...rawQuery(useApi(), email.id), enabled: email.content_removed_at === null })
  if (email.content_removed_at !== null) return <Removed at={email.content_removed_at} />
  return (
    <Read query={query}>
      {(raw) => <RawMessage raw={raw} path={`/api/v1/emails/${email.id}/raw`} name={email.id} />}
    </Read>
  )
}

/** A whole message, and its file to download. */
export const RawMessage = ({ raw, path, name }: { raw: string; path: string; name: string }) => (
  <div className="flex flex-col gap-3">
    <CodeBlock code={raw.slice(0, maxShown)} label="raw message" />
    <Button asChild size="small" className="self-start">
      <a href={path} download={`${name}.eml`}>
        <Download aria-hidden className="size-4" />
        Download {Math.ceil(raw.length / 1_024)} KiB
      </a>
    </Button>
  </div>
)
