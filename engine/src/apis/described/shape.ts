/** The tables of a described stream: its own, those of its children, and the members that no column has. */
import type { Table } from '../../ports/model.ts'
import { type ChildShape, childShape, type DocumentShape, type RowFinder, rowsOf } from '../http/documents.ts'
import type { ExactJson, JsonObject } from '../http/exact-json.ts'
import { type FieldMapping, isObject, ordinal } from '../http/fields.ts'
import type { ChildDescription, StreamDescription } from './description/schema.ts'
import { columnPointer, fieldOf, type WrittenColumn } from './columns.ts'
import { partsOf, pointerReader } from './pointer.ts'

export interface DescribedShape extends DocumentShape {
  /** Names of the record's members that the description does not know. */
  unknownMembers(record: JsonObject): readonly string[]
}

export function shapeOf(name: string, stream: StreamDescription): DescribedShape {
  const { columns, key, rest, children = {} } = stream
  const fields = fieldsOf(columns, key)
  const known = knownMembers(stream)
  const all = rest === undefined ? fields : [...fields, restField(rest, known)]
  const keyFields = key.flatMap((part) => fields.find(({ column }) => column.name === part) ?? [])
  return {
    table: describedTable(name, all, key, stream),
    fields: all,
    children: Object.entries(children).map(([child, described]) => childOf(name, keyFields, child, described)),
    unknownMembers: (record) => Object.keys(record).filter((member) => !known.has(member)),
  }
}

function fieldsOf(columns: Readonly<Record<string, WrittenColumn>>, key: readonly string[]): readonly FieldMapping[] {
  return Object.entries(columns).map(([name, written]) => fieldOf(name, written, key.includes(name)))
}

function describedTable(
  name: string,
  fields: readonly FieldMapping[],
  key: readonly string[],
  { about, columns }: Pick<StreamDescription, 'about' | 'columns'>,
): Table {
  return {
    name,
    columns: fields.map(({ column }) => column),
    key,
    ...(about !== undefined && { description: about }),
    references: referencesOf(columns),
  }
}

function referencesOf(columns: Readonly<Record<string, WrittenColumn>>): NonNullable<Table['references']> {
  return Object.entries(columns).flatMap(([name, written]) => {
    const refersTo = typeof written === 'string' ? undefined : written.refersTo
    if (refersTo === undefined) return []
    const [table = '', to = ''] = refersTo.split('.')
    return [{ columns: [name], table, to: [to] }]
  })
}

/** The parent's key comes first; a bare `id` is called after the parent there. */
function childOf(
  parent: string,
  parentKey: readonly FieldMapping[],
  name: string,
  described: ChildDescription,
): ChildShape {
  const { records, key, columns } = described
  const taken = new Set(Object.keys(columns))
  const ofParent = parentKey.map(({ column, read }): FieldMapping => {
    const isClash = column.name === 'id' || taken.has(column.name)
    return {
      column: isClash ? { ...column, name: `${parent}_${column.name}` } : column,
      read: (spot) => read({ ...spot, node: spot.document }),
    }
  })
  const own = fieldsOf(columns, key ?? [])
  const { table, ...shape } = childShape({
    name,
    parentKey: ofParent,
    fields: key === undefined ? [ordinal(''), ...own] : own,
    rows: rowsAt(records),
  })
  const aboutIt = described.about === undefined ? {} : { description: described.about }
  const reference = {
    columns: ofParent.map(({ column }) => column.name),
    table: parent,
    to: parentKey.map(({ column }) => column.name),
    isParent: true,
  } as const
  return { ...shape, table: { ...table, ...aboutIt, references: [reference, ...referencesOf(columns)] } }
}

function rowsAt(records: string): RowFinder {
  const find = pointerReader(records)
  return (document) => rowsOf(document, recordsIn(find(document)))
}

/** The objects of a list; a single object counts as a list of one. */
function recordsIn(value: ExactJson | undefined): readonly JsonObject[] {
  if (Array.isArray(value)) return (value as readonly ExactJson[]).filter(isObject)
  return isObject(value) ? [value] : []
}

/** The first members of all pointers. */
function knownMembers({ columns, children = {}, deletes }: StreamDescription): ReadonlySet<string> {
  const pointers = [
    ...Object.entries(columns).map(([name, written]) => columnPointer(name, written)),
    ...Object.values(children).map(({ records }) => records),
    ...(deletes?.kind === 'status' ? [deletes.at] : []),
  ]
  return new Set(pointers.flatMap((pointer) => partsOf(pointer)[0] ?? []))
}

function restField(name: string, known: ReadonlySet<string>): FieldMapping {
  return {
    column: {
      name,
      type: { kind: 'json' },
      nullable: true,
      description: 'The members of the record that no other column has.',
    },
    read({ node }) {
      const rest = Object.entries(node).filter(([member]) => !known.has(member))
      return rest.length === 0 ? null : JSON.stringify(Object.fromEntries(rest))
    },
  }
}
