/** The fields of a connector's form, and what may be written into them. Pure: the values are in clear and come as arguments. */
import { secretMask } from '@tributary/contract/limits'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { ConnectorSettingsField, ConnectorSettingsSection } from '@tributary/engine/ports/settings'
import { isSealedSecret } from '../../security/secrets/sealed-properties.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'

export interface FormField {
  /** The property that holds the value, or holds the object that has it under `key`. */
  readonly property: string
  /** Empty where the property is the value. */
  readonly key: string
  /** `cin7.accountId`, `source.connectionString.password`: how a fault names the field. */
  readonly path: string
  /** Secrets are sent to the address of their own side only. */
  readonly side: Side
  readonly field: ConnectorSettingsField
}

export type Side = 'source' | 'target'

export function fieldsOf(side: Side, sections: readonly ConnectorSettingsSection[]): FormField[] {
  return sections.flatMap(({ property, shape, fields }) =>
    fields.map((field) =>
      shape === 'plain'
        ? { property: field.key, key: '', path: field.key, side, field }
        : { property, key: field.key, path: `${property}.${field.key}`, side, field },
    ),
  )
}

export interface Input {
  readonly name: string
  readonly value: unknown
}

/** What is stored once the input is in: a property sent replaces its former value, one not sent stays or, in a replacement, goes. */
export function applyInput(
  fields: readonly FormField[],
  stored: ConnectorProperties,
  inputs: readonly Input[],
  others: 'stay' | 'go',
): ConnectorProperties {
  requireOnce(inputs)
  const next: Record<string, unknown> = others === 'stay' ? { ...stored } : {}
  for (const { name, value } of inputs) {
    const own = fields.filter(({ property }) => property === name)
    // A target that is taken away leaves no fields to ask about.
    if (own.length === 0 && (value === null || isBlank(value))) {
      delete next[name]
      continue
    }
    if (own.length === 0 && name !== schemaProperty) throw wrong(name, `There is no setting named ${name}.`)
    next[name] = readValue(own, name, value, stored[name])
    if (isBlank(next[name])) delete next[name]
  }
  return next
}

/** Of two values of one property, one could vouch for a secret that goes where the other says. */
function requireOnce(inputs: readonly Input[]): void {
  const names = inputs.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw wrong(twice, `${twice} is given more than once. Give it once.`)
}

/** Where in the target the tables go; every kind of target has it. */
export const schemaProperty = 'target.schema'

function readValue(own: readonly FormField[], name: string, value: unknown, former: unknown): unknown {
  if (value === null || value === undefined || value === '') return undefined
  const plain = own.find(({ key }) => key === '')
  if (plain !== undefined) return readField(plain, value, former)
  if (own.length === 0) return readText(name, value)
  if (typeof value !== 'object' || Array.isArray(value)) throw wrong(name, 'An object is needed here.')
  const unknown = Object.keys(value).find((key) => !own.some((field) => field.key === key))
  if (unknown !== undefined) throw wrong(`${name}.${unknown}`, `There is no setting named ${unknown}.`)
  const entries = own.map(
    (field) => [field.key, readField(field, valueAt(value, field.key), valueAt(former, field.key))] as const,
  )
  return Object.fromEntries(entries.filter(([, read]) => read !== undefined))
}

/** The value in its kind, undefined for an empty one; the mask stands for what is stored. */
function readField({ field, path }: FormField, value: unknown, former: unknown): unknown {
  if (value === null || value === undefined || value === '') return undefined
  switch (field.kind) {
    case 'secret':
      return value === secretMask ? former : readText(path, value)
    case 'switch':
      if (typeof value !== 'boolean') throw wrong(path, `${field.label} is either true or false.`)
      return value
    case 'number':
      return readNumber(path, field, value)
    case 'list':
      return Array.isArray(value) ? value.map((item) => readText(path, item)) : readText(path, value)
    default:
      return readText(path, value)
  }
}

function readText(path: string, value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value.length > textMax)
    throw wrong(path, `A text of at most ${textMax} characters is needed here.`)
  return value
}

function readNumber(path: string, field: ConnectorSettingsField, value: unknown): number {
  const number = typeof value === 'string' ? Number(value.trim()) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) throw wrong(path, `${field.label} is a number.`)
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

/** Throws a fault that names every required field that is empty. The target's are required only where there is a target. */
export function requireFilled(fields: readonly FormField[], properties: ConnectorProperties): void {
  const missing = fields.filter(
    ({ property, key, side, field }) =>
      field.required &&
      field.initial === undefined &&
      (side === 'source' || properties[property] !== undefined) &&
      isBlank(read(properties, { property, key })),
  )
  const [first] = missing
  if (first === undefined) return
  const named = Object.fromEntries(missing.map(({ path }) => [path, 'required']))
  throw new ApiFault('settingsWrong', {
    values: { detail: `${first.field.label} is missing. Fill it in and save again.` },
    fields: named,
  })
}

/**
 * A stored secret may go only where it went before: where the address or the user of its side has changed, it must be
 * entered again.
 */
export function requireSecrets(
  fields: readonly FormField[],
  stored: ConnectorProperties,
  next: ConnectorProperties,
  inputs: readonly Input[],
): void {
  const moved = new Set(
    fields
      .filter((field) => field.field.bindsSecret === true && hasChanged(field, stored, next))
      .map(({ side }) => side),
  )
  const needed = fields.filter(
    (field) =>
      field.field.kind === 'secret' &&
      moved.has(field.side) &&
      !isBlank(read(stored, field)) &&
      !isEntered(field, inputs) &&
      !isBlank(read(next, field)),
  )
  if (needed.length === 0) return
  throw new ApiFault('secretNeeded', { fields: Object.fromEntries(needed.map(({ path }) => [path, 'required'])) })
}

/** A stored secret that could not be opened must be entered again before anything is done with the settings. */
export function requireReadable(fields: readonly FormField[], next: ConnectorProperties): void {
  const sealed = fields.filter((field) => isSealedSecret(read(next, field)))
  if (sealed.length === 0) return
  throw new ApiFault('secretUnreadable', { fields: Object.fromEntries(sealed.map(({ path }) => [path, 'required'])) })
}

function isEntered({ property, key }: FormField, inputs: readonly Input[]): boolean {
  return inputs.some(({ name, value }) => {
    if (name !== property) return false
    const entered = key === '' ? value : valueAt(value, key)
    return !isBlank(entered) && entered !== secretMask
  })
}

/** A field left empty means what it starts with. */
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

export function wrong(path: string, sentence: string): ApiFault {
  return new ApiFault('settingsWrong', { values: { detail: sentence }, fields: { [path]: sentence } })
}
