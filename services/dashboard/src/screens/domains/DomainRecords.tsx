import type { DnsRecord, Domain } from '../../api/domains.ts'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { Panel } from '../../ui/Table.tsx'
import { isEd25519 } from './domainLabels.ts'
import { RecordPanel } from './RecordPanel.tsx'

/** The records of a domain: those that it needs first, then the advised ones, then all as a zone file. */
export const DomainRecords = ({
  domain,
  isChecking,
}: {
  domain: Pick<Domain, 'name' | 'records'>
  isChecking: boolean
}) => {
  const required = domain.records.filter((record) => record.required)
  const replacing = domain.records.filter((record) => isReplacement(record, domain.records))
  const advised = domain.records.filter((record) => !record.required && !replacing.includes(record))
  return (
    <>
      <Group
        title="Required records"
        text={`Copy each name and value.${partText(domain.name, required)}`}
        records={required}
        isChecking={isChecking}
      />
      {replacing.length > 0 && (
        <Group
          title="Replacement of the DKIM key"
          text="Set the records of the new key and leave the old ones. Mail is signed with the old key until the new one is found."
          records={replacing}
          isChecking={isChecking}
        />
      )}
      {advised.length > 0 && (
        <Group
          title="Recommended records"
          text="Mail is sent without them, but more of it arrives with them."
          records={advised}
          isChecking={isChecking}
        />
      )}
      <details className="text-small">
        <summary className="w-fit rounded font-medium">All records as a zone file</summary>
        <div className="mt-3">
          <CodeBlock code={zoneFile(domain.records)} label="Zone file" />
        </div>
      </details>
    </>
  )
}

/** Returns what to enter in a DNS panel that appends the domain, by the first record below it; without one, nothing. */
const partText = (domain: string, records: readonly DnsRecord[]): string => {
  const below = records.find(({ name }) => name.endsWith(`.${domain}`))
  if (!below) return ''
  const part = below.name.slice(0, -domain.length - 1)
  return ` If your DNS panel appends ${domain} by itself, enter only the part before it: “${part}”, not “${below.name}”.`
}

/** Whether a record is of a second key: a domain has one RSA and one Ed25519 key unless they are being replaced. */
const isReplacement = (record: DnsRecord, all: readonly DnsRecord[]): boolean => {
  if (record.purpose !== 'dkim' || record.required) return false
  if (!isEd25519(record)) return true
  return all.filter((other) => other.purpose === 'dkim' && isEd25519(other)).length > 1
}

const Group = ({
  title,
  text,
  records,
  isChecking,
}: {
  title: string
  text: string
  records: readonly DnsRecord[]
  isChecking: boolean
}) => (
  <section aria-label={title}>
    <h2 className="font-semibold">{title}</h2>
    <p className="mt-0.5 mb-3 max-w-prose text-small text-muted">{text}</p>
    <Panel>
      <ul className="divide-y divide-line">
        {records.map((record) => (
          <RecordPanel
            key={`${record.purpose} ${record.name} ${record.type}`}
            record={record}
            isChecking={isChecking}
          />
        ))}
      </ul>
    </Panel>
  </section>
)

/** Maximum length of a string of a TXT record, in octets (RFC 1035 §3.3). Values of records are ASCII. */
const maxStringLength = 255
const ttlS = 3600

const strings = (value: string): string[] => value.match(new RegExp(`.{1,${maxStringLength}}`, 'gs')) ?? ['']

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

/** Returns records as lines of a zone file (RFC 1035 §5). */
const zoneFile = (records: readonly DnsRecord[]): string =>
  records
    .map(({ type, name, value, priority }) => {
      const content = type === 'MX' ? `${priority ?? 10} ${value}.` : strings(value).map(quoted).join(' ')
      return `${name}. ${ttlS} IN ${type} ${content}`
    })
    .join('\n')
