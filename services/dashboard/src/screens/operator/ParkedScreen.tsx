import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { CircleParking } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { type ParkedEmail, parkedPages, readParkedAgain } from '../../api/operator.ts'
import { problemOf } from '../../api/problem.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Page } from '../../ui/Page.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { ParkedRows } from './ParkedRows.tsx'
import { dropTexts, releaseTexts } from './parkedTexts.ts'
import { RecordPages } from './RecordList.tsx'

/** Mail that stopped too many workers, and waits for a decision of the operator. */
export const ParkedScreen = () => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const pages = useInfiniteQuery(parkedPages(api))
  const [chosen, setChosen] = useState<{ email: ParkedEmail; step: 'release' | 'drop' } | null>(null)
  const close = () => setChosen(null)

  /** Runs a decision. Mail that another decision ended is not an error of the dialog: the list shows what is left. */
  const decide = async (decision: () => Promise<unknown>, done: string): Promise<void> => {
    try {
      await decision()
      toast({ title: done })
    } catch (thrown) {
      if (![404, 409].includes(problemOf(thrown).status)) throw thrown
      const detail = 'Its sender canceled it, another operator decided, or it was removed. This changed nothing.'
      toast({ tone: 'bad', title: 'The email is not parked any more', detail })
    }
    await readParkedAgain(queries)
  }

  return (
    <Page title="Parked mail" intro="Mail whose workers stopped or failed 20 times in a row, the last parked first.">
      <RecordPages
        pages={pages}
        many="parked mail"
        empty={{
          icon: CircleParking,
          title: 'No email is parked',
          text: 'An email is parked when 20 workers in a row stopped or failed while they had it, so that it cannot keep stopping them. Then it waits here until you release or drop it. All other mail continues.',
        }}
      >
        {(emails) => (
          <ParkedRows
            emails={emails}
            onRelease={(email) => setChosen({ email, step: 'release' })}
            onDrop={(email) => setChosen({ email, step: 'drop' })}
          />
        )}
      </RecordPages>
      {chosen?.step === 'release' && (
        <ConfirmDialog
          title="Release email"
          action="Release email"
          variant="solid"
          onClose={close}
          run={() => {
            const path = { id: chosen.email.id }
            return decide(() => api.post('/api/v1/operator/parked/{id}/release', { path }), 'The email is in the queue')
          }}
        >
          <Texts texts={releaseTexts(chosen.email)} />
        </ConfirmDialog>
      )}
      {chosen?.step === 'drop' && (
        <ConfirmDialog
          title="Drop email"
          action="Drop email"
          name={chosen.email.id}
          onClose={close}
          run={() => {
            const path = { id: chosen.email.id }
            return decide(() => api.post('/api/v1/operator/parked/{id}/drop', { path }), 'The email has ended')
          }}
        >
          <Texts texts={dropTexts(chosen.email)} />
        </ConfirmDialog>
      )}
    </Page>
  )
}

const Texts = ({ texts }: { texts: readonly string[] }) => texts.map((text) => <p key={text}>{text}</p>)
