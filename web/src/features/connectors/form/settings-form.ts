/** Between a connector's properties, as they travel, and the fields of its form. Pure. */
import type { ConnectorType, SettingsField, SettingsSection } from '@tributary/contract/connector-catalogue'
import type { ConnectorInput } from '@tributary/contract/connector-input'
import type { Connector } from '@tributary/contract/connectors'
import type { FieldRule, FieldValue, Values } from '../../../ui/forms/form.ts'

type Inputs = ConnectorInput['properties']
type Properties = Readonly<Record<string, unknown>>

export interface FormField {
  /** The field's name in the form, and in the server's faults: `cin7.accountId`, `source.connectionString.password`. */
  readonly path: string
  readonly property: string
  /** Empty where the property is the value. */
  readonly key: string
  readonly field: SettingsField
}

/** The kind of target chosen; empty means that Tributary stores the data. */
export const targetKind = 'target.kind'
export const targetSchema = 'target.schema'
export const targetConnection = 'target.connectionString'
/** The kind travels within the connection, under this key. */
const kindKey = 'connector'

export function fieldsOf({ Property, Shape, Fields }: SettingsSection): FormField[] {
  return Fields.map((field) =>
    Shape === 'plain'
      ? { path: field.Key, property: field.Key, key: '', field }
      : { path: `${Property}.${field.Key}`, property: Property, key: field.Key, field },
  ).filter(({ key }) => key !== kindKey)
}

export function sourceFields(type: ConnectorType): FormField[] {
  return type.Sections.flatMap(fieldsOf)
}

export function targetOf(
  type: ConnectorType,
  kind: FieldValue | undefined,
): ConnectorType['Targets'][number] | undefined {
  return type.Targets.find(({ Kind }) => Kind === kind)
}

export function targetFields(type: ConnectorType, kind: FieldValue | undefined): FormField[] {
  const target = targetOf(type, kind)
  return target === undefined ? [] : fieldsOf(target.Section)
}

/** Whether the schema is asked for beside the target's own fields. */
export function asksForSchema(fields: readonly FormField[]): boolean {
  return fields.length > 0 && !fields.some(({ property }) => property === targetSchema)
}

export function propertiesOf(connector: Connector): Properties {
  return Object.fromEntries(connector.Properties.map(({ Name, Value }) => [Name, Value]))
}

/** What the form starts with: what is stored, else what a new connector starts with. */
export function formValues(type: ConnectorType, properties: Properties): Values {
  const kind = storedKind(type, properties)
  const fields = [...sourceFields(type), ...targetFields(type, kind)]
  return {
    [targetKind]: kind,
    [targetSchema]: asText(properties[targetSchema]),
    ...Object.fromEntries(fields.map((field) => [field.path, fieldValue(field, properties)])),
  }
}

/** Another kind of target begins with its own defaults; nothing of the former one stays. */
export function valuesForKind(type: ConnectorType, values: Values, kind: string): Values {
  const former = new Set(targetFields(type, values[targetKind]).map(({ path }) => path))
  const kept = Object.entries(values).filter(([name]) => !former.has(name))
  const fresh = targetFields(type, kind).map((field) => [field.path, fieldValue(field, {})] as const)
  const schema =
    asText(values[targetSchema]) === '' && kind !== '' ? schemaName(asText(values['name'])) : values[targetSchema]
  return { ...Object.fromEntries(kept), [targetKind]: kind, [targetSchema]: schema ?? '', ...Object.fromEntries(fresh) }
}

const schemaMax = 40

/** A schema that every kind of database takes, from what the connector is called. */
export function schemaName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
  return plain.slice(0, schemaMax) || 'tributary_data'
}

export function rulesOf(fields: readonly FormField[]): Record<string, FieldRule> {
  return Object.fromEntries(
    fields.map(({ path, field }) => [
      path,
      { isOptional: !field.Required, ...(field.Kind === 'number' ? { check: wholeNumber } : {}) },
    ]),
  )
}

/** What is sent. `hadTarget`: a target that was there before must be taken away, not merely left out. */
export function inputsOf(type: ConnectorType, values: Values, hadTarget: boolean): Inputs {
  const kind = values[targetKind]
  const target = targetFields(type, kind)
  const inputs = gather(sourceFields(type), values)
  if (target.length === 0)
    return hadTarget ? [...inputs, { name: targetConnection, value: null }, { name: targetSchema, value: '' }] : inputs
  const ends = gather(target, values).map(({ name, value }) =>
    isObject(value) ? { name, value: { [kindKey]: kind, ...value } } : { name, value },
  )
  return asksForSchema(target)
    ? [...inputs, ...ends, { name: targetSchema, value: values[targetSchema] ?? '' }]
    : [...inputs, ...ends]
}

/** A name that none of the others has: 'Xero', 'Xero 2'. */
export function freeName(title: string, taken: readonly string[]): string {
  const known = new Set(taken.map((name) => name.toLowerCase()))
  for (let number = 1; ; number++) {
    const name = number === 1 ? title : `${title} ${number}`
    if (!known.has(name.toLowerCase())) return name
  }
}

function storedKind(type: ConnectorType, properties: Properties): string {
  const connection = properties[targetConnection]
  if (!isObject(connection)) return ''
  const kind = asText(connection[kindKey])
  return kind === '' ? (type.Targets[0]?.Kind ?? '') : kind
}

function fieldValue({ property, key, field }: FormField, properties: Properties): FieldValue {
  const holder = properties[property]
  const stored = key === '' ? holder : isObject(holder) ? holder[key] : undefined
  if (field.Kind === 'switch') return (stored ?? field.Initial) === true || stored === 'true'
  if (Array.isArray(stored)) return stored.join('\n')
  return asText(stored ?? field.Initial)
}

function gather(fields: readonly FormField[], values: Values): Inputs {
  const byProperty = Map.groupBy(fields, ({ property }) => property)
  return [...byProperty].map(([name, group]) => {
    const entries = group.map((each) => [each.key, sentValue(each, values)] as const)
    const [only] = entries
    if (only !== undefined && only[0] === '') return { name, value: only[1] ?? '' }
    return { name, value: Object.fromEntries(entries.filter(([, value]) => value !== undefined)) }
  })
}

function sentValue({ path, field }: FormField, values: Values): unknown {
  const value = values[path]
  if (typeof value !== 'string') return value
  if (value.trim() === '') return undefined
  if (field.Kind === 'number') return Number(value)
  if (field.Kind === 'list')
    return value
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  return field.Kind === 'secret' ? value : value.trim()
}

function wholeNumber(value: string): string | null {
  return /^\d+$/.test(value.trim()) ? null : 'Enter a whole number.'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
