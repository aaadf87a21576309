import { TextArea } from '../../ui/controls.tsx'
import { Field } from '../../ui/Field.tsx'

/** The limits of a key as texts with one entry a line. */
export type LimitTexts = { domains: string; networks: string; recipients: string }

type LimitName = keyof LimitTexts

const limits: readonly { name: LimitName; label: string; hint: string; placeholder: string }[] = [
  {
    name: 'domains',
    label: 'Sender domains',
    hint: 'Verified domains that it may send from. Empty: all.',
    placeholder: 'example.com',
  },
  {
    name: 'networks',
    label: 'Networks',
    hint: 'Addresses and CIDRs that it may be used from. Empty: all.',
    placeholder: '203.0.113.0/24',
  },
  {
    name: 'recipients',
    label: 'Recipients',
    hint: 'Addresses and domains that it may send to. Empty: all.',
    placeholder: 'example.org',
  },
]

/** Returns the entries of a text, which are divided by lines, commas or spaces. */
const entriesOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

/** Returns the lists that the API accepts. */
export const limitLists = ({ domains, networks, recipients }: LimitTexts) => ({
  domains: entriesOf(domains),
  networks: entriesOf(networks),
  recipients: entriesOf(recipients),
})

/** Shows where a key works from, and what it may send from and to. Most keys have no limits. */
export const KeyLimits = ({
  register,
  errorAt,
  open = false,
}: {
  register: (name: LimitName) => object
  errorAt: (name: LimitName) => string | undefined
  open?: boolean
}) => {
  const hasError = limits.some(({ name }) => errorAt(name) !== undefined)
  return (
    <details open={open || hasError || undefined} className="text-small">
      <summary className="w-fit rounded font-medium">
        Limits <span className="font-normal text-faint">(optional)</span>
      </summary>
      <div className="mt-3 flex flex-col gap-4">
        {limits.map(({ name, label, hint, placeholder }) => (
          <Field key={name} label={label} hint={hint} error={errorAt(name)}>
            <TextArea
              rows={2}
              placeholder={placeholder}
              spellCheck={false}
              className="min-h-0 font-mono"
              {...register(name)}
            />
          </Field>
        ))}
      </div>
    </details>
  )
}
