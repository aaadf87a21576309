import type { Scope } from '../../api/types.ts'
import { Checkbox } from '../../ui/controls.tsx'
import { scopeGroups } from './presets.ts'

/** Offers each scope by itself, folded below the presets. */
export const ScopeChoice = ({
  scopes,
  onChange,
  error,
}: {
  scopes: readonly Scope[]
  onChange: (scopes: Scope[]) => void
  error: string | undefined
}) => {
  const toggle = (scope: Scope) =>
    onChange(scopes.includes(scope) ? scopes.filter((other) => other !== scope) : [...scopes, scope])
  return (
    <details className="mt-3 text-small">
      <summary className="w-fit rounded text-muted hover:text-ink">
        Choose single scopes ({scopes.length} chosen)
      </summary>
      <div className="mt-3 grid gap-x-6 gap-y-4 sm:grid-cols-2">
        {scopeGroups.map((group) => (
          <div key={group.title} className="flex flex-col gap-1.5">
            <p className="font-medium">{group.title}</p>
            {group.scopes.map(({ scope, text }) => (
              <Checkbox key={scope} checked={scopes.includes(scope)} onChange={() => toggle(scope)}>
                <span className="font-mono text-tiny">{scope}</span>
                <span className="block text-muted">{text}</span>
              </Checkbox>
            ))}
          </div>
        ))}
      </div>
      {error !== undefined && (
        <p role="alert" className="mt-2 text-bad">
          {error}
        </p>
      )}
    </details>
  )
}
