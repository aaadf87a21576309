import { Button } from '../../ui/Button.tsx'
import { TextArea } from '../../ui/controls.tsx'
import { Field } from '../../ui/Field.tsx'
import type { TestData } from './useTestData.ts'

/** The values of previews and test sends. */
export const TestDataView = ({ data, variables }: { data: TestData; variables: readonly string[] }) => (
  <div className="flex flex-col gap-3">
    <p className="text-small text-muted">
      {variables.length === 0 ? 'This template has no placeholders.' : 'Placeholders: '}
      {variables.map((name) => (
        <code key={name} className="mr-1.5 rounded bg-hover px-1 py-0.5 font-mono text-tiny text-ink">
          {name}
        </code>
      ))}
    </p>
    <Field
      label="Values as JSON"
      hint="template_vars of the preview and of test sends. They are kept in this browser only."
      error={data.error ?? undefined}
    >
      <TextArea
        className="h-80 font-mono !text-small"
        spellCheck={false}
        value={data.text}
        onChange={(event) => data.enter(event.target.value)}
      />
    </Field>
    <div className="flex gap-2">
      <Button size="small" onClick={data.fill}>
        Add missing values
      </Button>
      {data.isEntered && (
        <Button size="small" variant="quiet" onClick={() => data.enter(null)}>
          Use samples
        </Button>
      )}
    </div>
  </div>
)
