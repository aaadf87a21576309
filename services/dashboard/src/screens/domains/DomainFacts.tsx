import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type Domain, storeDomain } from '../../api/domains.ts'
import { problemText } from '../../api/problem.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Checkbox } from '../../ui/controls.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { AbsoluteTime } from '../../ui/RelativeTime.tsx'
import { useToast } from '../../ui/Toast.tsx'

/** Shows what identifies a domain, how to send from it, and which addresses it covers. */
export const DomainFacts = ({ domain, mayWrite }: { domain: Domain; mayWrite: boolean }) => (
  <aside aria-label="Details" className="flex flex-col gap-7">
    <Facts facts={factsOf(domain)} />
    {domain.verified_at !== null && <SendFrom name={domain.name} />}
    <Subdomains domain={domain} mayWrite={mayWrite} />
    <section>
      <h2 className="mb-1 text-small font-medium">Checks</h2>
      <p className="text-small text-muted">
        The records are checked several times in the first minutes, every 5 minutes for a day, every hour for two more
        days, and then once a day.
      </p>
    </section>
  </aside>
)

const factsOf = (domain: Domain): readonly [string, ReactNode][] => [
  [
    'Id',
    <span key="id" className="-my-1.5 flex items-center gap-1">
      <span className="min-w-0 truncate font-mono text-tiny" title={domain.id}>
        {domain.id}
      </span>
      <CopyButton text={domain.id} label="id" className="size-7" />
    </span>,
  ],
  ['Added', <AbsoluteTime key="added" at={domain.created_at} />],
  ['Verified', domain.verified_at === null ? 'Not yet' : <AbsoluteTime key="verified" at={domain.verified_at} />],
]

const SendFrom = ({ name }: { name: string }) => {
  const field = `"from_": "You <you@${name}>"`
  return (
    <section>
      <h2 className="mb-1 text-small font-medium">Send from it</h2>
      <p className="text-small text-muted">Name an address of the domain in each email:</p>
      <p className="mt-2 flex items-start gap-1 rounded-md border border-line bg-sunken py-1 pr-1 pl-2.5">
        <span className="min-w-0 flex-1 py-1 font-mono text-tiny leading-5 break-words">{field}</span>
        <CopyButton text={field} label="sender field" className="size-7" />
      </p>
    </section>
  )
}

const Subdomains = ({ domain, mayWrite }: { domain: Domain; mayWrite: boolean }) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const change = useMutation({
    mutationFn: (subdomains: boolean) =>
      api.patch('/api/v1/domains/{id}', { path: { id: domain.id }, body: { subdomains } }),
    onSuccess: (changed) => storeDomain(queries, changed),
    onError: (thrown) => toast({ tone: 'bad', title: 'The change was not saved', detail: problemText(thrown) }),
  })
  const isOn = change.isPending ? change.variables : domain.subdomains
  return (
    <section>
      <h2 className="mb-1 text-small font-medium">Subdomains</h2>
      <label htmlFor="subdomains" className="flex items-start gap-2 text-small text-muted">
        <Checkbox
          id="subdomains"
          checked={isOn}
          disabled={!mayWrite || change.isPending}
          onChange={(event) => change.mutate(event.target.checked)}
        />
        <span>
          Addresses such as <span className="break-words">jane@news.{domain.name}</span> may send too
        </span>
      </label>
    </section>
  )
}
