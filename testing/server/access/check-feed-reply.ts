/**
 * Checks a reply of the feed against its metadata: properties, types, facets, and the forms that values have in JSON.
 * https://docs.oasis-open.org/odata/odata-json-format/v4.01/odata-json-format-v4.01.html
 */
import type { Csdl, CsdlEntity, CsdlProperty } from './feed-csdl.ts'

export interface CheckedReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly text: string
}

/** What is wrong with a reply; empty if nothing is. */
export function findViolations(csdl: Csdl, { status, headers, text }: CheckedReply): readonly string[] {
  const type = String(headers['content-type'])
  if (!type.startsWith('application/json') || text === '') return []
  const body = parseExact(text)
  if (!isObject(body)) return ['The reply is no object.']
  if (status !== 200) return ofError(body)
  const isExact = /;IEEE754Compatible=true/iu.test(type)
  const context = body['@odata.context']
  if (context === undefined)
    return /[;.]metadata=none/u.test(type) || '$Version' in body ? [] : ['There is no context.']
  const fragment = String(context).split('/$metadata')[1]
  if (fragment === undefined) return [`The context ${String(context)} names no metadata.`]
  if (fragment === '') return ofServiceDocument(csdl, body)
  return ofRows(csdl, body, { fragment, isExact, isFull: /[;.]metadata=full/u.test(type) })
}

/** A number with its digits, which a double would lose. */
class JsonNumber {
  readonly digits: string

  constructor(digits: string) {
    this.digits = digits
  }
}

type JsonObject = Readonly<Record<string, unknown>>

function parseExact(text: string): unknown {
  return JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? new JsonNumber(context?.source ?? '') : value,
  )
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
}

function ofError(body: JsonObject): readonly string[] {
  const { error } = body
  if (!isObject(error) || Object.keys(body).length > 1) return ['An error is an object with the member error.']
  const { code, message, target, innererror, ...others } = error
  return [
    ...(typeof code === 'string' && typeof message === 'string' && message !== ''
      ? []
      : ['code or message is missing']),
    ...(target === undefined || typeof target === 'string' ? [] : ['target is no text']),
    ...(innererror === undefined || isObject(innererror) ? [] : ['innererror is no object']),
    ...Object.keys(others).map((name) => `An error has no member ${name}.`),
  ]
}

function ofServiceDocument(csdl: Csdl, { value }: JsonObject): readonly string[] {
  const sets = value as readonly JsonObject[]
  const names = sets.map(({ name }) => String(name))
  return [
    ...sets.flatMap(({ name, kind, url }) =>
      kind === 'EntitySet' && url === name ? [] : [`${String(name)} is no set`],
    ),
    ...names.filter((name) => !csdl.has(name)).map((name) => `The metadata has no set ${name}.`),
    ...[...csdl.keys()].filter((name) => !names.includes(name)).map((name) => `The service has no set ${name}.`),
  ]
}

interface RowsForm {
  /** `#set`, `#set(a,b)`, `#set/$entity` or `#set(a,b)/$entity`. */
  readonly fragment: string
  readonly isExact: boolean
  readonly isFull: boolean
}

function ofRows(csdl: Csdl, body: JsonObject, { fragment, isExact, isFull }: RowsForm): readonly string[] {
  const [, name = '', list, single] = /^#([^(/]+)(?:\(([^)]*)\))?(\/\$entity)?$/u.exec(fragment) ?? []
  const entity = csdl.get(name)
  if (entity === undefined) return [`The metadata has no set for ${fragment}.`]
  const form = { name, entity, selected: list?.split(',') ?? [...entity.properties.keys()], isExact, isFull }
  if (single !== undefined) {
    const { '@odata.context': _, ...row } = body
    return ofRow(row, form)
  }
  const { '@odata.context': _, '@odata.count': count, '@odata.nextLink': next, value, ...others } = body
  if (!Array.isArray(value)) return ['value is no list']
  const countForm = { type: 'Edm.Int64', isNullable: false, maxLength: null, precision: null, scale: null }
  return [
    ...Object.keys(others).map((other) => `A collection has no member ${other}.`),
    ...(count === undefined ? [] : ofValue(count, countForm, isExact).map((text) => `@odata.count ${text}`)),
    ...(next === undefined || (typeof next === 'string' && URL.canParse(next))
      ? []
      : ['@odata.nextLink is no address']),
    ...value.flatMap((row, at) =>
      (isObject(row) ? ofRow(row, form) : ['is no object']).map((text) => `[${at}] ${text}`),
    ),
    ...repeatedKeys(value as readonly JsonObject[], form),
  ]
}

interface RowForm extends Pick<RowsForm, 'isExact' | 'isFull'> {
  readonly name: string
  readonly entity: CsdlEntity
  /** The properties that the context names. */
  readonly selected: readonly string[]
}

function ofRow(row: JsonObject, { name, entity, selected, isExact, isFull }: RowForm): readonly string[] {
  const names = Object.keys(row).filter((each) => !each.includes('@'))
  const isGroup = selected.some((each) => !entity.properties.has(each))
  return [
    ...selected.filter((each) => !names.includes(each)).map((each) => `${each} is missing`),
    ...names.filter((each) => !selected.includes(each)).map((each) => `${each} is not in the context`),
    ...Object.keys(row).flatMap((each) => ofAnnotation(row, each, name)),
    ...(isFull && !isGroup && entity.key.every((key) => selected.includes(key)) && row['@odata.type'] === undefined
      ? ['@odata.type is missing']
      : []),
    ...names.flatMap((each) => {
      const type = typeOf(row, each, entity)
      return typeof type === 'string' ? [type] : ofValue(row[each], type, isExact).map((text) => `${each} ${text}`)
    }),
  ]
}

function ofAnnotation(row: JsonObject, member: string, set: string): readonly string[] {
  const [property = '', annotation] = member.split('@')
  if (annotation === undefined) return []
  if (annotation !== 'odata.type') return [`${member} is unknown`]
  if (property === '') return row[member] === `#Tributary.${set}` ? [] : [`${member} is not the type of the set`]
  return property in row ? [] : [`${member} is about nothing`]
}

/** The type of a property; a text if it has none. Results of `$apply` are not declared, so the reply must say it unless JSON does. */
function typeOf(row: JsonObject, name: string, { properties }: CsdlEntity): CsdlProperty | string {
  const given = row[`${name}@odata.type`]
  const declared = properties.get(name)
  if (declared !== undefined)
    return given === undefined || given === declared.type.replace('Edm.', '#') ? declared : `${name} has another type`
  const free = { isNullable: true, maxLength: null, precision: null, scale: 'variable' as const }
  if (given !== undefined)
    return { ...free, type: String(given).replace('#', 'Edm.'), precision: given === '#Decimal' ? null : 12 }
  const value = row[name]
  if (typeof value === 'boolean') return { ...free, type: 'Edm.Boolean' }
  if (value === null || typeof value === 'string') return { ...free, type: 'Edm.String' }
  return `${name} needs a type, because it is not declared`
}

function repeatedKeys(rows: readonly JsonObject[], { entity: { key }, selected }: RowForm): readonly string[] {
  if (!key.every((name) => selected.includes(name)) || selected.some((name) => name.includes('@'))) return []
  const keys = rows.map((row) => JSON.stringify(key.map((name) => row[name])))
  return new Set(keys).size === keys.length ? [] : ['a key is there twice']
}

function ofValue(value: unknown, property: CsdlProperty, isExact: boolean): readonly string[] {
  const { type, isNullable } = property
  if (value === null) return isNullable ? [] : ['is null']
  const form = forms[type]
  if (form === undefined) return [`has the unknown type ${type}`]
  const shown = value instanceof JsonNumber ? value.digits : JSON.stringify(value)
  return form(value, property, isExact) ? [] : [`is ${shown}, which is no ${type}${facetsOf(property)}`]
}

function facetsOf({ maxLength, precision, scale }: CsdlProperty): string {
  const facets = Object.entries({ maxLength, precision, scale }).filter(([, facet]) => facet !== null)
  return facets.length === 0 ? '' : ` with ${facets.map(([name, facet]) => `${name} ${facet}`).join(', ')}`
}

type ValueForm = (value: unknown, property: CsdlProperty, isExact: boolean) => boolean

/** 64-bit integers and decimals are text if the client wants that, and numbers otherwise. */
function digitsOf(value: unknown, isText: boolean): string | null {
  if (isText) return typeof value === 'string' ? value : null
  return value instanceof JsonNumber ? value.digits : null
}

function integer(bits: number): ValueForm {
  return (value, _, isExact) => {
    const digits = digitsOf(value, isExact && bits === 64)
    if (digits === null || !/^-?\d{1,19}$/u.test(digits)) return false
    const number = BigInt(digits)
    return BigInt.asIntN(bits, number) === number
  }
}

function text(pattern: RegExp): ValueForm {
  return (value) => typeof value === 'string' && pattern.test(value)
}

const special = /^(?:-?INF|NaN)$/u
const day = String.raw`(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`
const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d`

const forms: Readonly<Record<string, ValueForm>> = {
  'Edm.Boolean': (value) => typeof value === 'boolean',
  'Edm.Int16': integer(16),
  'Edm.Int32': integer(32),
  'Edm.Int64': integer(64),
  'Edm.Double': (value) => value instanceof JsonNumber || (typeof value === 'string' && special.test(value)),
  'Edm.Decimal': decimal,
  'Edm.Guid': text(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u),
  'Edm.Binary': text(/^[A-Za-z0-9_-]*$/u),
  'Edm.String': (value, { maxLength }) =>
    typeof value === 'string' && value.isWellFormed() && (maxLength === null || [...value].length <= maxLength),
  'Edm.Date': (value) => typeof value === 'string' && isDay(value),
  'Edm.TimeOfDay': (value, { precision }) => secondsFit(value, new RegExp(`^${time}(?:\\.(\\d+))?$`, 'u'), precision),
  'Edm.DateTimeOffset': (value, { precision }) =>
    secondsFit(value, new RegExp(`^${day}T${time}(?:\\.(\\d+))?(?:Z|[+-]\\d\\d:\\d\\d)$`, 'u'), precision),
}

function isDay(text: string): boolean {
  return new RegExp(`^${day}$`, 'u').test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)
}

function secondsFit(value: unknown, pattern: RegExp, precision: number | null): boolean {
  const found = typeof value === 'string' ? pattern.exec(value) : null
  return found !== null && (found[1]?.length ?? 0) <= (precision ?? 0)
}

/** PostgreSQL’s decimals may be no number, which the feed writes as the text that JSON has for it. */
function decimal(value: unknown, { precision, scale }: CsdlProperty, isExact: boolean): boolean {
  if (typeof value === 'string' && special.test(value)) return true
  const [, whole = '', fraction = ''] = /^-?(\d+)(?:\.(\d+))?$/u.exec(digitsOf(value, isExact) ?? '') ?? []
  return whole !== '' && digitsFit(whole, fraction, { precision, scale })
}

function digitsFit(
  whole: string,
  fraction: string,
  { precision, scale }: Pick<CsdlProperty, 'precision' | 'scale'>,
): boolean {
  const places = scale === 'variable' ? fraction.length : (scale ?? 0)
  const digits = `${whole}${fraction.padEnd(places, '0')}`.replace(/^0+/u, '')
  return fraction.length <= places && (precision === null || digits.length <= precision)
}
