import type { DnsRecord } from '../../api/domains.ts'

/** Maximum length of a string of a TXT record, in octets (RFC 1035 §3.3). Values of records are ASCII. */
const maxStringLength = 255
const ttlS = 3600

const strings = (value: string): string[] => value.match(new RegExp(`.{1,${maxStringLength}}`, 'gs')) ?? ['']

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

/** Returns records as lines of a zone file (RFC 1035 §5). */
export const zoneFile = (records: readonly DnsRecord[]): string =>
  records
    .map(({ type, name, value, priority }) => {
      const content = type === 'MX' ? `${priority ?? 10} ${value}.` : strings(value).map(quoted).join(' ')
      return `${name}. ${ttlS} IN ${type} ${content}`
    })
    .join('\n')
