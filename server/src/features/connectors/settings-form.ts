/** The fields of a connector's form and their validation. Pure: values are arguments in plain text. */
import { descriptionMax, secretMask } from '@tributary/contract/limits'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { ConnectorSettingsField, ConnectorSettingsSection } from '@tributary/engine/ports/settings'
import type { ConnectorInput } from '@tributary/contract/connector-input'
import { isEncryptedSecret } from '../../security/secrets/sealed-properties.ts'
import { ApiFault, detailedFault } from '../../kernel/http/api-fault.ts'

export interface FormField {
  /** The property with the value, or with the object that has the value under `key`. */
  readonly property: string
  /** Empty if the property itself is the value. */
  readonly key: string
  /** Path of the field in faults: `cin7.accountId`, `source.connectionString.password`. */
  readonly path: string
  /** A secret is sent only to the address on the same side. */
  readonly side: FormSide
  readonly field: ConnectorSettingsField
}

export type FormSide = 'source' | 'target'

export function fieldsOf(side: FormSide, sections: readonly ConnectorSettingsSection[]): FormField[] {
  return sections.flatMap(({ property, shape, fields }) =>
    fields.map((field) =>
      shape === 'plain'
        ? { property: field.key, key: '', path: field.key, side, field }
        : { property, key: field.key, path: `${property}.${field.key}`, side, field },
    ),
  )
}

export type PropertyInput = ConnectorInput['properties'][number]

/** Merges the inputs into the stored settings. Properties that are not sent are kept (`stay`) or removed (`go`). */
export function applyInput(
  fields: readonly FormField[],
  stored: ConnectorProperties,
  inputs: readonly PropertyInput[],
  others: 'stay' | 'go',
): ConnectorProperties {
  requireOnce(inputs)
  const next: Record<string, unknown> = others === 'stay' ? { ...stored } : {}
  for (const { name, value } of inputs) {
    const own = fields.filter(({ property }) => property === name)
    // A removed target has no fields to validate.
    if (own.length === 0 && (value === null || isBlank(value))) {
      delete next[name]
      continue
    }
    if (own.length === 0 && name !== schemaProperty) throw settingFault(name, `There is no setting called ${name}.`)
    next[name] = parseProperty(own, name, value, stored[name])
    if (isBlank(next[name])) delete next[name]
  }
  return next
}

/**
 * Refuses duplicate properties: one value could pass the check of a secret that is then sent to the address in the
 * other.
 */
function requireOnce(inputs: readonly PropertyInput[]): void {
  const names = inputs.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw settingFault(twice, `${twice} is sent more than once. Send it once.`)
}

/** The schema for the tables; every kind of target has it. */
export const schemaProperty = 'target.schema'

function parseProperty(own: readonly FormField[], name: string, value: unknown, former: unknown): unknown {
  if (value === null || value === undefined || value === '') return undefined
  const plain = own.find(({ key }) => key === '')
  if (plain !== undefined) return parseField(plain, value, former)
  if (own.length === 0) return parseText(name, value)
  if (typeof value !== 'object' || Array.isArray(value)) throw settingFault(name, 'This must be an object.')
  const unknown = Object.keys(value).find((key) => !own.some((field) => field.key === key))
  if (unknown !== undefined) throw settingFault(`${name}.${unknown}`, `There is no setting called ${unknown}.`)
  const entries = own.map(
    (field) => [field.key, parseField(field, valueAt(value, field.key), valueAt(former, field.key))] as const,
  )
  return Object.fromEntries(entries.filter(([, parsed]) => parsed !== undefined))
}

/** The value in the type of its field; undefined if empty. The mask stands for the stored secret. */
function parseField({ field, path }: FormField, value: unknown, former: unknown): unknown {
  if (value === null || value === undefined || value === '') return undefined
  switch (field.kind) {
    case 'secret':
      return value === secretMask ? former : parseText(path, value)
    case 'switch':
      if (typeof value !== 'boolean') throw settingFault(path, `${field.label} must be true or false.`)
      return value
    case 'number':
      return parseNumber(path, field, value)
    case 'yaml':
      return parseText(path, value, descriptionMax)
    case 'list':
      return Array.isArray(value) ? value.map((item) => parseText(path, item)) : parseText(path, value)
    default:
      return parseText(path, value)
  }
}

function parseText(path: string, value: unknown, lengthMax = textMax): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value.length > lengthMax)
    throw settingFault(path, `This must be a text of at most ${lengthMax} characters.`)
  return value
}

function parseNumber(path: string, field: ConnectorSettingsField, value: unknown): number {
  const number = typeof value === 'string' ? Number(value.trim()) : value
  if (typeof number !== 'number' || !Number.isFinite(number))
    throw settingFault(path, `${field.label} must be a number.`)
  return number
}

const textMax = 10_000

function isBlank(value: unknown): boolean {
  return (
    value === undefined ||
    value === '' ||
    (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  )
}

/**
 * Throws a fault with every empty required field. Fields of the target are required only if there is a target, and those that a choice needs
 * are checked where the choice is read.
 */
export function requireFilled(fields: readonly FormField[], properties: ConnectorProperties): void {
  const missing = fields.filter(
    ({ property, key, side, field }) =>
      field.required &&
      field.initial === undefined &&
      field.shownFor === undefined &&
      (side === 'source' || properties[property] !== undefined) &&
      isBlank(read(properties, { property, key })),
  )
  const [first] = missing
  if (first === undefined) return
  throw detailedFault('settingsWrong', `${first.field.label} is missing. Fill it in and save again.`, {
    fields: requiredFields(missing),
  })
}

function requiredFields(fields: readonly FormField[]): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.map(({ path }) => [path, 'required']))
}

/**
 * Requires a stored secret to be entered again if the address or the user of its side has changed, or if a description calls a host that
 * the stored one does not call.
 */
export function requireSecrets(
  fields: readonly FormField[],
  stored: ConnectorProperties,
  next: ConnectorProperties,
  { inputs, callsOtherHosts }: { readonly inputs: readonly PropertyInput[]; readonly callsOtherHosts: boolean },
): void {
  const changedSides = new Set([
    ...fields
      .filter((field) => field.field.bindsSecret === true && hasChanged(field, stored, next))
      .map(({ side }) => side),
    ...(callsOtherHosts ? (['source'] as const) : []),
  ])
  const needed = fields.filter(
    (field) =>
      field.field.kind === 'secret' &&
      changedSides.has(field.side) &&
      !isBlank(read(stored, field)) &&
      !isEntered(field, inputs) &&
      !isBlank(read(next, field)),
  )
  if (needed.length > 0) throw new ApiFault('secretNeeded', { fields: requiredFields(needed) })
}

/** Requires a stored secret that cannot be decrypted to be entered again. */
export function requireReadable(fields: readonly FormField[], next: ConnectorProperties): void {
  const unreadable = fields.filter((field) => isEncryptedSecret(read(next, field)))
  if (unreadable.length > 0) throw new ApiFault('secretUnreadable', { fields: requiredFields(unreadable) })
}

function isEntered({ property, key }: FormField, inputs: readonly PropertyInput[]): boolean {
  return inputs.some(({ name, value }) => {
    if (name !== property) return false
    const entered = key === '' ? value : valueAt(value, key)
    return !isBlank(entered) && entered !== secretMask
  })
}

/** An empty field has its initial value. */
function hasChanged(field: FormField, stored: ConnectorProperties, next: ConnectorProperties): boolean {
  const text = (properties: ConnectorProperties) => {
    const value = read(properties, field)
    return String(isBlank(value) ? (field.field.initial ?? '') : value).trim()
  }
  return text(stored) !== text(next)
}

function read(properties: ConnectorProperties, { property, key }: Pick<FormField, 'property' | 'key'>): unknown {
  return key === '' ? properties[property] : valueAt(properties[property], key)
}

function valueAt(object: unknown, key: string): unknown {
  return typeof object === 'object' && object !== null && Object.hasOwn(object, key)
    ? (object as Record<string, unknown>)[key]
    : undefined
}

export function settingFault(path: string, message: string): ApiFault {
  return detailedFault('settingsWrong', message, { fields: { [path]: message } })
}
