/** Converts between a connector's properties in the API and the fields of its form. Pure. */
import type { ConnectorType, SettingsField, SettingsSection } from '@tributary/contract/connector-catalogue'
import type { ConnectorInput } from '@tributary/contract/connector-input'
import type { Connector } from '@tributary/contract/connectors'
import { isFieldNeeded } from '../../../domain/connectors/needed-field.ts'
import { splitLines } from '../tables/table-selection.ts'
import type { FieldRule, FieldValue, FormValues } from '../../../ui/forms/use-form.ts'

type PropertyInputs = ConnectorInput['properties']
type StoredProperties = Readonly<Record<string, unknown>>

export interface ConnectorFormField {
  /**
   * Name of the field in the form and in the server's field errors: `cin7.accountId`,
   * `source.connectionString.password`.
   */
  readonly path: string
  readonly property: string
  /** Empty if the property itself is the value. */
  readonly key: string
  readonly field: SettingsField
}

/** The kind of target; empty if Tributary stores the data. */
export const targetKind = 'target.kind'
export const targetSchema = 'target.schema'
export const targetConnection = 'target.connectionString'
/** Key of the target's kind inside the connection. */
const kindKey = 'connector'

export function sectionFields({ Property, Shape, Fields }: SettingsSection): ConnectorFormField[] {
  return Fields.map((field) =>
    Shape === 'plain'
      ? { path: field.Key, property: field.Key, key: '', field }
      : { path: `${Property}.${field.Key}`, property: Property, key: field.Key, field },
  ).filter(({ key }) => key !== kindKey)
}

export function sourceFields(type: ConnectorType): ConnectorFormField[] {
  return type.Sections.flatMap(sectionFields)
}

export function findTarget(
  type: ConnectorType,
  kind: FieldValue | undefined,
): ConnectorType['Targets'][number] | undefined {
  return type.Targets.find(({ Kind }) => Kind === kind)
}

export function targetFields(type: ConnectorType, kind: FieldValue | undefined): ConnectorFormField[] {
  const target = findTarget(type, kind)
  return target === undefined ? [] : sectionFields(target.Section)
}

/** True if the form asks for a schema in addition to the target's fields. */
export function asksForSchema(fields: readonly ConnectorFormField[]): boolean {
  return fields.length > 0 && !fields.some(({ property }) => property === targetSchema)
}

export function storedProperties(connector: Connector): StoredProperties {
  return Object.fromEntries(connector.Properties.map(({ Name, Value }) => [Name, Value]))
}

/** Initial values of the form: the stored properties, otherwise the defaults of the catalogue. */
export function formValues(type: ConnectorType, properties: StoredProperties): FormValues {
  const kind = storedTargetKind(type, properties)
  const fields = [...sourceFields(type), ...targetFields(type, kind)]
  return {
    [targetKind]: kind,
    [targetSchema]: asText(properties[targetSchema]),
    ...Object.fromEntries(fields.map((field) => [field.path, initialFieldValue(field, properties)])),
  }
}

/**
 * Values after the target's kind changes: the new kind starts with its defaults, without values of the previous one.
 */
export function valuesForKind(type: ConnectorType, values: FormValues, kind: string): FormValues {
  const previousPaths = new Set(targetFields(type, values[targetKind]).map(({ path }) => path))
  const kept = Object.entries(values).filter(([name]) => !previousPaths.has(name))
  const fresh = targetFields(type, kind).map((field) => [field.path, initialFieldValue(field, {})] as const)
  const schema =
    asText(values[targetSchema]) === '' && kind !== '' ? deriveSchemaName(asText(values['name'])) : values[targetSchema]
  return { ...Object.fromEntries(kept), [targetKind]: kind, [targetSchema]: schema ?? '', ...Object.fromEntries(fresh) }
}

const maxSchemaLength = 40

/** Derives a schema name from a connector's name that every kind of database accepts. */
export function deriveSchemaName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
  return plain.slice(0, maxSchemaLength) || 'tributary_data'
}

export function fieldRules(fields: readonly ConnectorFormField[], values: FormValues): Record<string, FieldRule> {
  return Object.fromEntries(
    fields.map(({ path, field }) => [
      path,
      {
        isOptional: !field.Required || !isFieldNeeded(field, path, values),
        ...(field.Kind === 'number' ? { check: checkWholeNumber } : {}),
      },
    ]),
  )
}

/** Builds the properties to send. With `hadTarget`, removing a stored target needs explicit empty values. */
export function toPropertyInputs(type: ConnectorType, values: FormValues, hadTarget: boolean): PropertyInputs {
  const kind = values[targetKind]
  const target = targetFields(type, kind)
  const inputs = gatherInputs(sourceFields(type), values)
  if (target.length === 0)
    return hadTarget ? [...inputs, { name: targetConnection, value: null }, { name: targetSchema, value: '' }] : inputs
  const targetInputs = gatherInputs(target, values).map(({ name, value }) =>
    isObject(value) ? { name, value: { [kindKey]: kind, ...value } } : { name, value },
  )
  return asksForSchema(target)
    ? [...inputs, ...targetInputs, { name: targetSchema, value: values[targetSchema] ?? '' }]
    : [...inputs, ...targetInputs]
}

/** Returns an unused name: 'Xero', 'Xero 2'. Ignores case. */
export function unusedName(title: string, taken: readonly string[]): string {
  const known = new Set(taken.map((name) => name.toLowerCase()))
  for (let number = 1; ; number++) {
    const name = number === 1 ? title : `${title} ${number}`
    if (!known.has(name.toLowerCase())) return name
  }
}

function storedTargetKind(type: ConnectorType, properties: StoredProperties): string {
  const connection = properties[targetConnection]
  if (!isObject(connection)) return ''
  const kind = asText(connection[kindKey])
  return kind === '' ? (type.Targets[0]?.Kind ?? '') : kind
}

function initialFieldValue({ property, key, field }: ConnectorFormField, properties: StoredProperties): FieldValue {
  const holder = properties[property]
  const stored = key === '' ? holder : isObject(holder) ? holder[key] : undefined
  if (field.Kind === 'switch') return (stored ?? field.Initial) === true || stored === 'true'
  if (Array.isArray(stored)) return stored.join('\n')
  return asText(stored ?? field.Initial)
}

function gatherInputs(fields: readonly ConnectorFormField[], values: FormValues): PropertyInputs {
  const byProperty = Map.groupBy(fields, ({ property }) => property)
  return [...byProperty].map(([name, group]) => {
    const entries = group.map((each) => [each.key, inputValue(each, values)] as const)
    const [only] = entries
    if (only !== undefined && only[0] === '') return { name, value: only[1] ?? '' }
    return { name, value: Object.fromEntries(entries.filter(([, value]) => value !== undefined)) }
  })
}

function inputValue({ path, field }: ConnectorFormField, values: FormValues): unknown {
  const value = values[path]
  if (typeof value !== 'string') return value
  if (value.trim() === '') return undefined
  if (field.Kind === 'number') return Number(value)
  if (field.Kind === 'list') return splitLines(value)
  // Positions of problems count the spaces at the beginning of a description.
  return field.Kind === 'secret' || field.Kind === 'yaml' ? value : value.trim()
}

function checkWholeNumber(value: string): string | null {
  return /^\d+$/.test(value.trim()) ? null : 'Enter a whole number.'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
