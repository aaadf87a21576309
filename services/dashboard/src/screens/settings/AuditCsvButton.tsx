import { Download } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type AuditFilters, readWholeAuditLog } from '../../api/auditLog.ts'
import { problemText } from '../../api/problem.ts'
import { Button } from '../../ui/Button.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { download } from '../overview/csv.ts'
import { auditCsv } from './auditCsv.ts'

/** Maximum number of entries of one file. Each hundred is a request. */
const maxEntries = 5_000

/** Downloads the entries of the chosen filters. */
export const AuditCsvButton = ({ filters, isEmpty }: { filters: AuditFilters; isEmpty: boolean }) => {
  const api = useApi()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const entries = await readWholeAuditLog(api, filters, maxEntries)
      download('audit-log.csv', auditCsv(entries))
      if (entries.length === maxEntries) {
        const detail = 'Choose a shorter time to get older ones.'
        toast({ tone: 'warn', title: `The file has the newest ${maxEntries.toLocaleString()} entries`, detail })
      }
    } catch (thrown) {
      toast({ tone: 'bad', title: 'The file was not made', detail: problemText(thrown) })
    }
    setBusy(false)
  }
  return (
    <Button onClick={save} busy={isBusy} disabled={isEmpty}>
      {!isBusy && <Download aria-hidden className="size-4" />}
      Download CSV
    </Button>
  )
}
