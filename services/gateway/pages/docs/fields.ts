import { type Html, html } from '../html.ts'
import { type OpenapiDocument, objectAnchor, objectsPath, type Parameter, refName, type Schema } from './apiDocument.ts'
import { inline, type MarkdownOptions } from './markdown.ts'

/* The tables of parameters and fields. */

/** In a request every optional field may be null, so only the tables of responses show it. */
const withoutNull = (schema: Schema): Schema => {
  const type = [schema.type ?? []].flat().filter((one) => one !== 'null')
  return {
    ...schema,
    ...(schema.type !== undefined && { type: type.length === 0 ? 'null' : type }),
    ...(schema.anyOf && { anyOf: schema.anyOf.filter((one) => one.type !== 'null') }),
  }
}

/** Returns the schema itself in place of a reference to it. */
export const resolved = (schema: Schema, { components }: OpenapiDocument): Schema =>
  schema.$ref === undefined ? schema : (components.schemas[refName(schema.$ref)] ?? schema)

/** Returns the name of a type, with a link to the object that it is. */
export const typeOf = ({ $ref, type, items, anyOf, format }: Schema): Html => {
  if ($ref !== undefined) return html`<a href="${objectsPath}#${objectAnchor(refName($ref))}">${refName($ref)}</a>`
  if (anyOf) return html`${anyOf.map((one, index) => (index === 0 ? typeOf(one) : html` or ${typeOf(one)}`))}`
  const names = [type ?? 'any'].flat().join(' or ')
  if (items) return html`${names} of ${typeOf(items)}`
  return html`${format ?? names}`
}

/** Lists the values of a field that has few. The description of some fields already lists them. */
const valuesOf = ({ enum: values, items, description = '' }: Schema): Html => {
  const all = (values ?? items?.enum ?? []).filter((value) => value !== null)
  if (all.length === 0 || all.every((value) => description.includes(String(value)))) return html``
  return html` One of ${all.map((value, index) => html`${index === 0 ? '' : ', '}<code>${String(value)}</code>`)}.`
}

const entry = (name: string, type: Html, isRequired: boolean, meaning: Html): Html =>
  html`<dt><code>${name}</code> <span class="type">${type}</span>${isRequired ? html` <span class="required">required</span>` : ''}</dt><dd>${meaning}</dd>
`

/** Returns the fields of an object with their types and meanings; without fields: nothing. */
export const fieldsTable = (schema: Schema, options: MarkdownOptions): Html => {
  const isRequest = schema.additionalProperties === false
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]): [string, Schema] => [
    name,
    isRequest ? withoutNull(field) : field,
  ])
  if (fields.length === 0) return html``
  return html`<dl class="fields">${fields.map(([name, field]) =>
    entry(
      name,
      typeOf(field),
      // A response has each of its fields, so the word would only repeat itself.
      isRequest && schema.required?.includes(name) === true,
      html`${inline(field.description ?? '', options)}${valuesOf(field)}`,
    ),
  )}</dl>`
}

/** Returns the parameters of an operation, by where they are sent. */
export const parametersTable = (parameters: readonly Parameter[], options: MarkdownOptions): Html => {
  if (parameters.length === 0) return html``
  return html`<h3>Parameters</h3>
<dl class="fields">${parameters.map(({ name, in: location, required = false, description, schema = {} }) =>
    entry(
      name,
      html`${location}`,
      required && location !== 'path',
      html`${inline(description ?? '', options)}${valuesOf(schema)}`,
    ),
  )}</dl>`
}
