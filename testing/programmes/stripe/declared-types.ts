/** Compares the columns of a source description with the schemas of an OpenAPI description. */
import { partsOf } from '@tributary/engine/apis/described/pointer'
import { columnOf, columnPointer, typeOf, type WrittenColumn } from '@tributary/engine/apis/described/columns'
import type { LogicalType } from '@tributary/engine/ports/model'
import type { ColumnDescription } from '@tributary/engine/apis/described/description/schema'

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
}

export interface OpenApi {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/** All forms that a value may have: references are followed, alternatives are listed. */
function formsOf(api: OpenApi, schema: JsonSchema): readonly JsonSchema[] {
  if (schema.$ref !== undefined) {
    const found = api.components.schemas[schema.$ref.split('/').at(-1) ?? '']
    return found === undefined ? [] : formsOf(api, found)
  }
  return schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap((form) => formsOf(api, form))
}

/** The forms of the value at a pointer; none if no form has it. */
export function formsAt(api: OpenApi, schema: JsonSchema, pointer: string): readonly JsonSchema[] {
  return partsOf(pointer).reduce<readonly JsonSchema[]>(
    (forms, part) =>
      forms.flatMap(({ properties, items }) => {
        const member = /^\d+$/u.test(part) ? items : properties?.[part]
        return member === undefined ? [] : formsOf(api, member)
      }),
    formsOf(api, schema),
  )
}

/** What is wrong with the columns of one table. */
export function columnProblems(
  api: OpenApi,
  record: JsonSchema,
  columns: Readonly<Record<string, WrittenColumn>>,
): readonly string[] {
  return Object.entries(columns).flatMap(([name, written]) => {
    const forms = formsAt(api, record, columnPointer(name, written))
    if (forms.length === 0) return [`${name}: ${columnPointer(name, written)} does not exist`]
    const misfits = forms.filter((form) => !fits(form, columnOf(written), forms))
    return misfits.map((form) => `${name}: ${columnOf(written).type} cannot hold ${JSON.stringify(form).slice(0, 120)}`)
  })
}

function fits(form: JsonSchema, column: ColumnDescription, all: readonly JsonSchema[]): boolean {
  const type = typeOf(column)
  // An object that Stripe gives instead of its id only if a call asks for it.
  if (form.type === 'object' && type.kind !== 'json') return all.some((other) => other.type === 'string')
  if (column.map !== undefined) return form.type === 'string'
  if (type.kind === 'text') return isTextUpTo(form, type.maxLength ?? Infinity)
  return forms[type.kind]?.(form, column) ?? false
}

function isTextUpTo({ type, enum: values = [] }: JsonSchema, maxLength: number): boolean {
  return type === 'string' && values.every(({ length }) => length <= maxLength)
}

const forms: {
  readonly [kind in LogicalType['kind']]?: (form: JsonSchema, column: ColumnDescription) => boolean
} = {
  integer: ({ type }) => type === 'integer',
  decimal: ({ type, format }) => type === 'number' || (type === 'string' && format === 'decimal'),
  boolean: ({ type }) => type === 'boolean',
  instant: isMoment,
  date: isMoment,
  json: ({ type }) => type === 'object' || type === 'array',
}

function isMoment(form: JsonSchema, { format }: ColumnDescription): boolean {
  return isUnixTime(form) && format === 'unixSeconds'
}

/** Some have the format only in words. */
function isUnixTime({ type, format, description = '' }: JsonSchema): boolean {
  return type === 'integer' && (format === 'unix-time' || /seconds since the Unix epoch/u.test(description))
}
