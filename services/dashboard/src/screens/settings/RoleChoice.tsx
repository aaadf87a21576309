import type { ComponentProps } from 'react'
import { useRank } from '../../api/session.ts'
import type { Role } from '../../api/types.ts'
import { RadioCard } from '../../ui/controls.tsx'
import { roleLabels } from './roleLabels.ts'

/**
 * A choice among the roles that the person may give: those up to their own.
 * @param checkedRole absent: a form has the value
 */
export const RoleChoice = ({ checkedRole, ...props }: ComponentProps<'input'> & { checkedRole?: Role }) => {
  const isAtLeast = useRank()
  return (
    <fieldset>
      <legend className="mb-1.5 text-small font-medium">Role</legend>
      <div className="grid gap-2">
        {roleLabels
          .filter(({ role }) => isAtLeast(role))
          .map(({ role, label, text }) => (
            <RadioCard
              key={role}
              {...props}
              {...(checkedRole !== undefined && { checked: role === checkedRole })}
              value={role}
              title={label}
              text={text}
            />
          ))}
      </div>
    </fieldset>
  )
}
