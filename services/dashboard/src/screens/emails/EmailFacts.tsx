import type { ReactNode } from 'react'
import type { EmailDetail } from '../../api/types.ts'
import { Facts } from '../../ui/Facts.tsx'
import { Id } from '../../ui/Id.tsx'
import { AbsoluteTime } from '../../ui/RelativeTime.tsx'

/** Shows what identifies an email, and how it was sent. */
export const EmailFacts = ({ email }: { email: EmailDetail }) => (
  <aside aria-label="Details" className="flex flex-col gap-6">
    {email.notices.length > 0 && (
      <ul className="flex flex-col gap-1 rounded-md bg-warn-tint px-3 py-2 text-small text-warn">
        {email.notices.map((notice) => (
          <li key={notice}>{notice}</li>
        ))}
      </ul>
    )}
    <Facts stacked facts={factsOf(email)} />
    <Labels title="Tags" labels={email.tags} />
    <Labels title="Metadata" labels={email.metadata} />
  </aside>
)

const Labels = ({ title, labels }: { title: string; labels: Readonly<Record<string, string>> }) => {
  const entries = Object.entries(labels)
  if (entries.length === 0) return null
  return (
    <section>
      <h2 className="mb-2 text-small font-medium">{title}</h2>
      <Facts facts={entries} />
    </section>
  )
}

const factsOf = (email: EmailDetail): readonly [string, ReactNode][] => {
  const facts: [string, ReactNode][] = [
    ['From', email.from_],
    ['Id', <Id key="id" id={email.id} label="id" />],
    ['Message-ID', <Id key="Message-ID" id={email.message_id} label="Message-ID" />],
    ['Accepted', <AbsoluteTime key="accepted" at={email.created_at} />],
  ]
  if (email.scheduled_at) facts.push(['Scheduled', <AbsoluteTime key="scheduled" at={email.scheduled_at} />])
  if (email.expires_at) facts.push(['Expires', <AbsoluteTime key="expires" at={email.expires_at} />])
  if (email.reply_to.length > 0) facts.push(['Reply to', email.reply_to.join(', ')])
  if (email.template_id) facts.push(['Template', <Id key="template id" id={email.template_id} label="template id" />])
  if (email.template_version !== null) facts.push(['Version', email.template_version])
  facts.push(['Category', email.category === 'marketing' ? 'Marketing' : 'Transactional'])
  facts.push(['If a reply is lost', email.on_unknown === 'retry' ? 'Send it again' : 'Ask a person'])
  if (email.content_removed_at) {
    facts.push(['Content removed', <AbsoluteTime key="removed" at={email.content_removed_at} />])
  }
  return facts
}
