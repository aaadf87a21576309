import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { type DefaultValues, type FieldPath, type FieldValues, type Resolver, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { problemOf, problemText } from '../api/problem.ts'

/**
 * A form whose values the API's own schema checks, first here and then in the service. Errors of the service appear at
 * the fields that they name, all others in `formError`.
 */
export const useApiForm = <Values extends FieldValues>({
  schema,
  values,
  submit,
}: {
  schema: z.ZodType
  values: DefaultValues<Values>
  submit: (values: Values) => Promise<void>
}) => {
  const [formError, setFormError] = useState<string | null>(null)
  const form = useForm<Values>({
    resolver: zodResolver(schema as never, undefined, { raw: true }) as unknown as Resolver<Values>,
    defaultValues: values,
    mode: 'onSubmit',
    reValidateMode: 'onChange',
  })
  const names = Object.keys(values)
  const showProblem = (thrown: unknown): void => {
    const { errors } = problemOf(thrown)
    const [atFields, others] = [
      errors.filter(({ path }) => names.includes(fieldOf(path))),
      errors.filter(({ path }) => !names.includes(fieldOf(path))),
    ]
    for (const { path, message } of atFields) form.setError(fieldOf(path) as FieldPath<Values>, { message })
    if (atFields.length === 0 || others.length > 0) setFormError(problemText(thrown))
  }
  const onSubmit = form.handleSubmit(async (given) => {
    setFormError(null)
    try {
      await submit(given)
    } catch (thrown) {
      showProblem(thrown)
    }
  })
  const errorAt = (name: FieldPath<Values>): string | undefined => {
    const error = form.formState.errors[name]
    if (Array.isArray(error)) return error.map((item) => item?.message).find((text) => text !== undefined)
    return error?.message?.toString()
  }
  return { ...form, onSubmit, formError, errorAt, isBusy: form.formState.isSubmitting }
}

/** Returns the field of a path such as `recipients[3]`. */
const fieldOf = (path: string): string => path.split(/[.[]/)[0] ?? ''
