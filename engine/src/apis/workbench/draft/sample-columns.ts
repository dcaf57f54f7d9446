/** Columns, child tables and keys from the records of a sample reply. A type must hold every value of the sample. */
import { pointerTo } from '../../described/pointer.ts'
import { type DraftChild, type DraftColumn, UniqueNames } from './draft-model.ts'
import { singular } from './guesses.ts'
import { isSampleList, isSampleObject, type SampleObject, type SampleValue, WrittenNumber } from './sample-json.ts'

export interface SampleTable {
  readonly columns: readonly DraftColumn[]
  readonly children: readonly DraftChild[]
}

/** Objects within a record become columns up to this depth, and JSON below. */
const depthMax = 2

/** @param tables names of the tables so far */
export function sampleTable(stream: string, records: readonly SampleObject[], tables: UniqueNames): SampleTable {
  const names = new UniqueNames()
  const columns: DraftColumn[] = []
  const children: DraftChild[] = []
  const read = (objects: readonly SampleObject[], at: string, parts: readonly string[]): void => {
    for (const [member, values] of membersOf(objects)) {
      const pointer = at + pointerTo(member)
      const known = values.filter((value) => value !== null)
      const path = [...parts, member]
      const isObjects = known.length > 0 && known.every(isSampleObject)
      const rows = rowsIn(known)
      if (isObjects && parts.length < depthMax - 1) read(known, pointer, path)
      else if (rows.length > 0) children.push(childOf({ stream, path, at: pointer, rows }, tables))
      else columns.push({ ...typeOf(member, known), name: names.take(path.join('_')), at: pointer })
    }
  }
  read(records, '', [])
  return { columns, children }
}

/** The values of each member, null where a record lacks it. */
function membersOf(objects: readonly SampleObject[]): ReadonlyMap<string, readonly SampleValue[]> {
  const names = new Set(objects.flatMap((object) => Object.keys(object)))
  return new Map([...names].map((name) => [name, objects.map((object) => object[name] ?? null)]))
}

/** The objects of values that are lists of objects; none if any of them is something else. */
function rowsIn(values: readonly SampleValue[]): readonly SampleObject[] {
  if (!values.every(isSampleList)) return []
  const rows = values.flat() as readonly SampleValue[]
  return rows.every(isSampleObject) ? rows : []
}

interface SampleList {
  readonly stream: string
  readonly path: readonly string[]
  readonly at: string
  readonly rows: readonly SampleObject[]
}

/** Lists within the rows of a child table stay JSON: a description has one level of child tables. */
function childOf({ stream, path, at, rows }: SampleList, tables: UniqueNames): DraftChild {
  const names = new UniqueNames()
  const columns = [...membersOf(rows)].map(([member, values]): DraftColumn => {
    const known = values.filter((value) => value !== null)
    return { ...typeOf(member, known), name: names.take(member), at: pointerTo(member) }
  })
  return { name: tables.take(`${stream}_${singular(path.join('_'))}`), records: at, columns }
}

type TypeGuess = Pick<DraftColumn, 'type' | 'format' | 'check'>

/** The narrowest type that holds every value and has room for others. @param values without null */
function typeOf(member: string, values: readonly SampleValue[]): TypeGuess {
  if (values.length === 0) return { type: 'text', check: 'the sample has no value of it' }
  if (values.every((value) => typeof value === 'boolean')) return { type: 'boolean' }
  if (values.every((value) => value instanceof WrittenNumber))
    return numberType(
      member,
      values.map(({ text }) => text),
    )
  if (values.every((value) => typeof value === 'string')) return textType(values)
  return values.some((value) => typeof value === 'object' && !(value instanceof WrittenNumber))
    ? { type: 'json' }
    : { type: 'text', check: 'the sample has values of different types' }
}

const momentNames = /(?:^|_)(?:created|updated|modified|date|time|timestamp|at|since|until)(?:_|$)/iu

function numberType(member: string, texts: readonly string[]): TypeGuess {
  if (!texts.every((text) => /^-?\d+$/u.test(text))) return { type: 'decimal' }
  const numbers = texts.map(Number)
  const within = (least: number, most: number): boolean => numbers.every((number) => number >= least && number <= most)
  const isMomentName = momentNames.test(member.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1_$2'))
  const check = 'a number that looks like a moment'
  if (isMomentName && within(500_000_000, 5_000_000_000)) return { type: 'instant(0)', format: 'unixSeconds', check }
  if (isMomentName && within(500_000_000_000, 5_000_000_000_000))
    return { type: 'instant(3)', format: 'unixMilliseconds', check }
  if (texts.some((text) => text.replace('-', '').length > 18)) return { type: 'decimal' }
  return amountNames.test(member)
    ? { type: 'decimal', check: 'whole in the sample, by its name an amount' }
    : { type: 'bigint' }
}

const amountNames = /(?:amount|price|total|balance|rate|cost|tax|vat|quantity|qty|discount|weight)$/iu

const day = /^\d{4}-\d\d-\d\d$/u
const moment = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,](?<fraction>\d+))?)?\s*(?<zone>Z|[+-]\d\d:?\d\d)?$/u
const guid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/iu
const msDate = /^\/Date\(-?\d+(?:[+-]\d{4})?\)\/$/u
const decimalText = /^-?\d+\.\d+$/u

function textType(texts: readonly string[]): TypeGuess {
  const filled = texts.filter((text) => text !== '')
  if (filled.length === 0) return { type: 'text', check: 'the sample has no value of it' }
  if (filled.every((text) => day.test(text))) return { type: 'date' }
  if (filled.every((text) => msDate.test(text))) return { type: 'instant(3)', format: 'msDate' }
  if (filled.every((text) => guid.test(text))) return { type: 'guid' }
  if (filled.every((text) => moment.test(text))) return momentType(filled)
  if (filled.every((text) => decimalText.test(text)))
    return { type: 'decimal', check: 'a text that looks like a number' }
  return { type: 'text' }
}

function momentType(texts: readonly string[]): TypeGuess {
  const groups = texts.map((text) => moment.exec(text)?.groups ?? {})
  const digits = Math.min(7, Math.max(3, ...groups.map(({ fraction = '' }) => fraction.length)))
  if (groups.every(({ zone }) => zone !== undefined)) return { type: `instant(${digits})` }
  return { type: `timestamp(${digits})`, check: 'no zone is written; with a known one, write an instant with zone' }
}

/** Whether the values of a column are all there and all different. */
export function isUniqueIn(records: readonly SampleObject[], { at }: Pick<DraftColumn, 'at'>): boolean {
  const member = at.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')
  const values = records.map((record) => record[member])
  const texts = values.flatMap((value) =>
    typeof value === 'string' ? [value] : value instanceof WrittenNumber ? [value.text] : [],
  )
  return texts.length === records.length && new Set(texts).size === texts.length
}
