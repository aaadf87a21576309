import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type Domain, removeDomain, storeDomain } from '../../api/domains.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu, MenuItem } from '../../ui/Menu.tsx'
import { useToast } from '../../ui/Toast.tsx'

/** Actions on a domain other than a check. */
export const DomainActions = ({ domain }: { domain: Domain }) => {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const [step, setStep] = useState<'rotate' | 'delete' | null>(null)
  const close = () => setStep(null)
  const path = { id: domain.id }
  return (
    <>
      <Menu trigger={<IconButton icon={Ellipsis} label="More actions" className="border border-line bg-surface" />}>
        <MenuItem icon={RotateCw} onSelect={() => setStep('rotate')}>
          Replace the DKIM key…
        </MenuItem>
        <MenuItem icon={Trash2} danger onSelect={() => setStep('delete')}>
          Delete domain…
        </MenuItem>
      </Menu>
      {step === 'rotate' && (
        <ConfirmDialog
          title="Replace the DKIM key"
          action="Replace the DKIM key"
          onClose={close}
          run={async () => {
            storeDomain(queries, await api.post('/api/v1/domains/{id}/rotate-key', { path }))
            toast({ title: 'The new record is in the list', detail: 'Set it, and leave the old one where it is.' })
          }}
        >
          <p>This adds the record of a new key to the list.</p>
          <ol className="list-decimal space-y-1 pl-5">
            <li>Set the new record at your DNS provider. Leave the old one: it signs until the new one is found.</li>
            <li>When the new record is found, the new key signs.</li>
            <li>Remove the old record 7 days later, when the list shows it.</li>
          </ol>
        </ConfirmDialog>
      )}
      {step === 'delete' && (
        <ConfirmDialog
          title="Delete domain"
          action="Delete domain"
          name={domain.name}
          onClose={close}
          run={async () => {
            await api.delete('/api/v1/domains/{id}', { path })
            await navigate({ to: '/domains' })
            await removeDomain(queries, domain.id)
            toast({ title: `${domain.name} was deleted` })
          }}
        >
          <p>
            Its keys are deleted too. Mail from the domain that has not left yet waits until it expires. If you add the
            domain again, it gets other records.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
