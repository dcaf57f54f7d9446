/** The records of a simulated stream: how they are made, changed and deleted. */
import { columnOf, columnPointer } from '../../described/columns.ts'
import { placeholdersIn } from '../../described/description/placeholders.ts'
import type { ChildDescription, RestDescription, StreamDescription } from '../../described/description/schema.ts'
import type { Paging } from '../../described/description/schema-paging.ts'
import { SeededRandom } from './seeded-random.ts'
import {
  isSimulatedObject,
  removeAt,
  setAt,
  type SimulatedJson,
  type SimulatedObject,
  valueAt,
} from './simulated-json.ts'
import { makeValue } from './simulated-values.ts'

export interface SimulatedRecord {
  readonly id: number
  json: SimulatedObject
  /** In milliseconds since 1970. */
  changedAt: number
  /** The date by which windows are cut. */
  readonly datedAt: number
  /** Grows with every change of any record. */
  change: number
  isDeleted: boolean
}

/** Records that are dated some days before they are made. The first one is the oldest, and is neither changed nor deleted. */
export interface DateSpread {
  readonly atFirstDays: number
  readonly laterDays: number
  /** Older records are not changed. They may be deleted. */
  readonly changedDays: number
}

/** A value that a record has whatever is generated: where it is, and what it is. */
export type FixedMember = readonly [pointer: string, value: SimulatedJson]

export interface RecordOptions {
  readonly description: Pick<RestDescription, 'maps' | 'paging'>
  readonly stream: StreamDescription
  readonly now: () => number
  readonly seed: number
  /** How much earlier than now a change may be dated. */
  readonly lateMs: number
  /** Changes of one call of `trade` have one stamp. */
  readonly ties: boolean
  /** Absent: records are dated by their first change. */
  readonly dates?: DateSpread
  /** The list is one record, which is neither added nor deleted. */
  readonly isSingle?: boolean
  readonly fixed?: (record: Pick<SimulatedRecord, 'id'>) => readonly FixedMember[]
}

const dayMs = 86_400_000

export class SimulatedRecords {
  readonly records = new Map<number, SimulatedRecord>()
  /** Counts the changes. */
  change = 0
  readonly #options: RecordOptions
  readonly #random: SeededRandom
  #nextId = 1

  constructor(options: RecordOptions) {
    this.#options = options
    this.#random = new SeededRandom(options.seed)
  }

  get random(): SeededRandom {
    return this.#random
  }

  add(count: number): void {
    const stamp = this.#stamp()
    const days = this.#options.dates?.atFirstDays ?? 0
    for (let index = 0; index < (this.#options.isSingle === true ? 1 : count); index += 1)
      this.#add(this.#options.ties ? stamp : this.#stamp(), days)
  }

  /** Adds, changes and deletes some records. @param deletes whether records are deleted, too */
  trade(times: number, deletes: boolean): void {
    const stamp = this.#stamp()
    const { ties, isSingle = false, dates } = this.#options
    for (let index = 0; index < times; index += 1) {
      const at = ties ? stamp : this.#stamp()
      const dice = this.#random.next()
      if (isSingle) this.#alter(at)
      else if (dice < 0.3) this.#add(at, dates?.laterDays ?? 0)
      else if (dice < 0.75 || !deletes) this.#alter(at)
      else this.#delete(at)
    }
  }

  present(): readonly SimulatedRecord[] {
    return [...this.records.values()].filter(({ isDeleted }) => !isDeleted)
  }

  /** Whole seconds, as many APIs write them, so that records have equal stamps. */
  #stamp(): number {
    const { now, lateMs } = this.#options
    return Math.floor((now() - this.#random.between(0, lateMs)) / 1_000) * 1_000
  }

  /** @param days how many days before its change the record may be dated */
  #add(at: number, days: number): void {
    const id = this.#nextId
    this.#nextId += 1
    this.change += 1
    const before = id === 1 ? days : this.#random.between(0, days)
    const record = { id, json: {}, changedAt: at, datedAt: at - before * dayMs, change: this.change, isDeleted: false }
    this.records.set(id, { ...record, json: this.#make(record) })
  }

  #alter(at: number): void {
    const { dates } = this.#options
    const since = dates === undefined ? -Infinity : this.#options.now() - dates.changedDays * dayMs
    const record = this.#random.pick(this.#changeable().filter(({ datedAt }) => datedAt >= since))
    if (record === undefined) return
    this.change += 1
    Object.assign(record, { changedAt: at, change: this.change })
    record.json = this.#make(record)
  }

  #changeable(): readonly SimulatedRecord[] {
    return this.present().filter(({ id }) => id !== 1 || this.#options.dates === undefined)
  }

  #delete(at: number): void {
    const record = this.#random.pick(this.#changeable())
    if (record === undefined) return
    this.change += 1
    Object.assign(record, { changedAt: at, change: this.change, isDeleted: true })
    record.json = this.#make(record)
  }

  #make(record: Omit<SimulatedRecord, 'json'>): SimulatedObject {
    const { description, stream } = this.#options
    const { columns, children = {} } = stream
    const required = requiredColumns(stream)
    let json: SimulatedJson = {}
    for (const child of Object.values(children)) json = setAt(json, child.records, this.#rows(child))
    // Short pointers first: a value within an object must not be replaced by the object.
    const sorted = Object.entries(columns).toSorted(([one, a], [other, b]) => depth(one, a) - depth(other, b))
    for (const [name, column] of sorted) {
      const pointer = columnPointer(name, column)
      if (isTaken(json, pointer) || isMapped(columns, name)) continue
      const dated = datedMoment(stream, name, record)
      const moment = dated ?? this.#anyMoment()
      const request = { column, maps: description.maps, random: this.#random, id: record.id, moment }
      json = setAt(json, pointer, makeValue(request, required.has(name) || dated !== null))
    }
    return this.#finish(json, record)
  }

  /** With what is not made of the columns. */
  #finish(made: SimulatedJson, record: Omit<SimulatedRecord, 'json'>): SimulatedObject {
    const { description, stream, fixed } = this.#options
    let json = withNeeded(made, stream.grid?.needs ?? [], record.id)
    for (const [pointer, value] of fixed?.(record) ?? []) json = setAt(json, pointer, value)
    json = withCursor(json, stream.paging ?? description.paging, record.id)
    markDeletion(json, stream, record.isDeleted)
    return json as SimulatedObject
  }

  #rows(child: ChildDescription): SimulatedObject[] {
    return Array.from({ length: this.#random.between(0, 3) }, (_, index) => {
      let row: SimulatedJson = {}
      for (const [name, column] of Object.entries(child.columns)) {
        const request = {
          column,
          maps: this.#options.description.maps,
          random: this.#random,
          id: index + 1,
          moment: this.#anyMoment(),
        }
        row = setAt(row, columnPointer(name, column), makeValue(request, child.key?.includes(name) ?? false))
      }
      return row as SimulatedObject
    })
  }

  #anyMoment(): number {
    return this.#options.now() - this.#random.between(0, 1_000) * 3_600_123
  }
}

/** Rows of a report without these values are not records. */
function withNeeded(json: SimulatedJson, needs: readonly string[], id: number): SimulatedJson {
  return needs
    .filter((pointer) => isEmpty(valueAt(json, pointer)))
    .reduce((root, pointer) => setAt(root, pointer, `k${id}`), json)
}

function isEmpty(value: SimulatedJson | undefined): boolean {
  return value === undefined || value === null || value === ''
}

function depth(name: string, column: StreamDescription['columns'][string]): number {
  return columnPointer(name, column).split('/').length
}

/** An object or list that other columns have made. */
function isTaken(json: SimulatedJson, pointer: string): boolean {
  const value = valueAt(json, pointer)
  return isSimulatedObject(value) || Array.isArray(value)
}

/** The moment of the column by which changes are found; null for another column. */
function datedMoment(
  { changes }: StreamDescription,
  name: string,
  { datedAt, changedAt }: Pick<SimulatedRecord, 'datedAt' | 'changedAt'>,
): number | null {
  if (changes === undefined || !('column' in changes) || changes.column !== name) return null
  return changes.kind === 'windows' ? datedAt : changedAt
}

/** Another column has the same value by a map. Then the value is one that the map has. */
function isMapped(columns: StreamDescription['columns'], name: string): boolean {
  const column = columns[name]
  if (column === undefined || columnOf(column).map !== undefined) return false
  const pointer = columnPointer(name, column)
  return Object.entries(columns).some(
    ([other, written]) => columnOf(written).map !== undefined && columnPointer(other, written) === pointer,
  )
}

/** Columns of keys, and those that addresses need. */
function requiredColumns({ key, detail, changes, children = {} }: StreamDescription): ReadonlySet<string> {
  const continued = Object.values(children).flatMap((child) =>
    child.continued === undefined
      ? []
      : [child.continued.path, ...Object.values(child.continued.query ?? {}).map(String)],
  )
  const paths = [detail?.path ?? '', changes?.kind === 'events' ? changes.record.path : '', ...continued]
  return new Set([...key, ...paths.flatMap(placeholdersIn)])
}

/** What a page begins after, if no column has it. */
function withCursor(json: SimulatedJson, paging: Paging | undefined, id: number): SimulatedJson {
  if (paging?.kind !== 'keyset') return json
  const found = valueAt(json, paging.at)
  return found === undefined || found === null ? setAt(json, paging.at, id) : json
}

function markDeletion(json: SimulatedJson, { deletes }: StreamDescription, isDeleted: boolean): void {
  if (deletes?.kind !== 'status') return
  const { at, equals } = deletes
  if (isDeleted) return void setAt(json, at, equals?.[0] ?? true)
  const value = valueAt(json, at)
  const isMark = equals === undefined || equals.some((one) => one === value || String(one) === String(value))
  if (isMark) removeAt(json, at)
}
