/** The tables of a described stream: its own, those of its children, and the members that no column has. */
import type { Table } from '../../ports/model.ts'
import { type ChildShape, childShape, type DocumentShape, type RowFinder, rowsOf } from '../http/documents.ts'
import type { ExactJson, JsonObject } from '../http/exact-json.ts'
import { type FieldMapping, isObject, ordinal } from '../http/fields.ts'
import type { ChildDescription, SharedDescription, StreamDescription } from './description/schema.ts'
import { columnPointer, fieldOf } from './columns.ts'
import { partsOf, pointerReader } from './pointer.ts'

export function shapeOf(name: string, stream: StreamDescription, shared: SharedDescription): DocumentShape {
  const { columns, key, rest, children = {} } = stream
  const fields = fieldsOf(columns, key, shared)
  const leftOut = shared.leaveOut ?? []
  const known = new Set([...knownMembers(stream), ...leftOut])
  const all = rest === undefined ? fields : [...fields, restField(rest, new Set([...wholeMembers(stream), ...leftOut]))]
  const keyFields = key.flatMap((part) => fields.find(({ column }) => column.name === part) ?? [])
  return {
    table: {
      name,
      columns: all.map(({ column }) => column),
      key,
      ...(stream.about !== undefined && { description: stream.about }),
      references: referencesOf({ name, columns }, shared),
    },
    fields: all,
    children: Object.entries(children).map(([child, described]) =>
      childOf({ name: child, parent: name, parentKey: keyFields }, described, shared),
    ),
    ...(rest === undefined && {
      unknownMembers: (record: JsonObject) => Object.keys(record).filter((member) => !known.has(member)),
    }),
  }
}

function fieldsOf(
  columns: StreamDescription['columns'],
  key: readonly string[],
  shared: SharedDescription,
): readonly FieldMapping[] {
  return Object.entries(columns).map(([name, written]) => fieldOf({ name, written, isKey: key.includes(name) }, shared))
}

function referencesOf(
  { name: table, columns }: { readonly name: string; readonly columns: StreamDescription['columns'] },
  { common = {} }: SharedDescription,
): NonNullable<Table['references']> {
  return Object.entries(columns).flatMap(([name, written]) => {
    const refersTo = (typeof written === 'string' ? undefined : written.refersTo) ?? common[name]?.refersTo
    if (refersTo === undefined || refersTo === `${table}.${name}`) return []
    const [to = '', column = ''] = refersTo.split('.')
    return [{ columns: [name], table: to, to: [column] }]
  })
}

interface ChildPlace {
  readonly name: string
  readonly parent: string
  readonly parentKey: readonly FieldMapping[]
}

/** The parent's key comes first; a bare `id` is called after the parent there. */
function childOf(
  { name, parent, parentKey }: ChildPlace,
  { records, key, columns, about }: ChildDescription,
  shared: SharedDescription,
): ChildShape {
  const taken = new Set(Object.keys(columns))
  const ofParent = parentKey.map(({ column, read }): FieldMapping => {
    const isClash = column.name === 'id' || taken.has(column.name)
    return {
      column: { ...column, description: parentKeyText, ...(isClash && { name: `${parent}_${column.name}` }) },
      read: (spot) => read({ ...spot, node: spot.document }),
    }
  })
  const own = fieldsOf(columns, key ?? [], shared)
  const { table, ...shape } = childShape({
    name,
    parentKey: ofParent,
    fields: key === undefined ? [describedOrdinal(), ...own] : own,
    rows: rowsAt(records),
  })
  const reference = {
    columns: ofParent.map(({ column }) => column.name),
    table: parent,
    to: parentKey.map(({ column }) => column.name),
    isParent: true,
  } as const
  return {
    ...shape,
    table: {
      ...table,
      ...(about !== undefined && { description: about }),
      references: [reference, ...referencesOf({ name, columns }, shared)],
    },
  }
}

const parentKeyText = 'The record that the row is a part of; it refers to the parent table.'

function describedOrdinal(): FieldMapping {
  const { column, read } = ordinal('')
  const description = 'Position of the row in its list, from 1. Part of the key, because the rows have no id.'
  return { column: { ...column, description }, read }
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

/** Members that columns and child tables have whole. Of an object with a column for one of its values, the others would be lost. */
function wholeMembers({ columns, children = {} }: StreamDescription): ReadonlySet<string> {
  const ofColumns = Object.entries(columns).flatMap(([name, written]) => {
    const parts = partsOf(columnPointer(name, written))
    return parts.length === 1 ? parts : []
  })
  return new Set([...ofColumns, ...Object.values(children).flatMap(({ records }) => partsOf(records)[0] ?? [])])
}

function restField(name: string, moved: ReadonlySet<string>): FieldMapping {
  return {
    column: {
      name,
      type: { kind: 'json' },
      nullable: true,
      description: 'JSON of the members of the record that no other column has whole.',
    },
    read({ node }) {
      const rest = Object.entries(node).filter(([member]) => !moved.has(member))
      return rest.length === 0 ? null : JSON.stringify(Object.fromEntries(rest))
    },
  }
}
