/** A stream with the rules of its table applied: how it is described, and how its rows are filtered and masked. */
import { createHash } from 'node:crypto'
import { Fault } from '../ports/faults.ts'
import type { Table } from '../ports/model.ts'
import type { Stream } from '../ports/source.ts'
import {
  type ColumnMask,
  describeConditions,
  describeMask,
  type TableRules,
  withTableName,
} from '../ports/table-rules.ts'
import { createMask, type MaskValue, maskedColumn } from './masks.ts'
import { createRowFilter, type RowFilter } from './row-filter.ts'

export interface ShapedStream {
  /** As the source describes it. */
  readonly original: Stream
  /** As its rows arrive. */
  readonly stream: Stream
  readonly rules: TableRules
  /** Null: every row is moved. */
  readonly filter: RowFilter | null
  /** Masks by column, by name of the table. */
  readonly masks: ReadonlyMap<string, ReadonlyMap<string, MaskValue>>
}

/** A stream whose rules cannot be applied has a fault, so that nothing of it is moved. */
export function shapeStream(original: Stream, given: TableRules, secret: Uint8Array): ShapedStream {
  const rules = { ...given, masks: given.masks.map((mask) => withTableName(mask, original.name, original.table.name)) }
  const { conditions } = rules
  const filter = conditions.length === 0 ? null : createRowFilter(original.table, conditions)
  const refusal = typeof filter === 'string' ? filter : findRefusal(original, rules.masks)
  const tables = tablesOf(original)
  const masks = new Map(
    tables.map((table) => [
      table.name,
      new Map(
        rules.masks.flatMap((mask) => {
          const column = table.name === mask.table && table.columns.find(({ name }) => name === mask.column)
          return column ? [[mask.column, createMask(mask.method, column.type, secret)] as const] : []
        }),
      ),
    ]),
  )
  return {
    original,
    stream: describeShaped(original, { rules, refusal, fingerprint: fingerprintOf(rules, secret) }),
    rules,
    filter: typeof filter === 'string' ? null : filter,
    masks,
  }
}

/** Another secret gives other hashes. */
function fingerprintOf({ conditions, masks }: TableRules, secret: Uint8Array): string {
  const hashes = masks.some(({ method }) => method.kind === 'hash')
  return createHash('sha256')
    .update(JSON.stringify([conditions, masks]))
    .update(hashes ? createHash('sha256').update(secret).digest() : '')
    .digest('hex')
    .slice(0, 32)
}

interface ShapedDescription {
  readonly rules: TableRules
  readonly refusal: string | null
  readonly fingerprint: string
}

function describeShaped(original: Stream, { rules, refusal, fingerprint }: ShapedDescription): Stream {
  const { binaryFingerprint: _binary, offersPlain: _plain, rowsEstimate, ...rest } = original
  const { conditions, masks } = rules
  const isFiltered = conditions.length > 0
  const words = isFiltered ? `Filtered: only rows where ${describeConditions(conditions)}.` : undefined
  const [table, ...children] = tablesOf(original).map((each) => describeTable(each, masks))
  return {
    ...rest,
    table: { ...original.table, ...table, ...(words !== undefined && prefixed(words, original.table)) },
    children,
    rules: fingerprint,
    ...(words !== undefined && { filteredTo: words }),
    ...(!isFiltered && rowsEstimate !== undefined && { rowsEstimate }),
    ...(refusal !== null && { fault: refused(refusal) }),
  }
}

function prefixed(words: string, { description }: Table): Pick<Table, 'description'> {
  return { description: description === undefined ? words : `${words} ${description}` }
}

function describeTable(table: Table, masks: readonly ColumnMask[]): Table {
  const own = masks.filter((mask) => mask.table === table.name)
  if (own.length === 0) return table
  const isMasked = (name: string): boolean => own.some(({ column }) => column === name)
  return {
    ...table,
    columns: table.columns.map((column) => {
      const mask = own.find((each) => each.column === column.name)
      return mask === undefined ? column : maskedColumn(column, mask.method, describeMask(mask.method))
    }),
    ...(table.references !== undefined && {
      references: table.references.filter(({ columns }) => !columns.some(isMasked)),
    }),
  }
}

/** Why masks cannot be applied; null if they can. */
function findRefusal(stream: Stream, masks: readonly ColumnMask[]): string | null {
  const tables = tablesOf(stream)
  for (const { table: name, column, method } of masks) {
    const table = tables.find((each) => each.name === name)
    const found = table?.columns.find((each) => each.name === column)
    const of = `The column ${column} of the table ${name}`
    if (table === undefined || found === undefined)
      return `${of} should be masked, but the source does not have it. Change the masks of the table.`
    if (table.key.includes(column) || table.parentKey?.includes(column) === true)
      return `${of} identifies its rows, so it cannot be masked. Take it off the masks, or leave the table out.`
    if (table === stream.table && stream.changedAtColumn === column)
      return `${of} shows when a row was changed, so it cannot be masked. Take it off the masks.`
    if (method.kind === 'keepEnd' && found.type.kind !== 'text')
      return `${of} is not a text, so the end of its values cannot be kept. Hash it, or leave its values out.`
  }
  return null
}

function refused(notice: string): Fault {
  return new Fault('settings', {
    code: 'engine.table_rules',
    notice: `${notice} Nothing of this table is moved until then.`,
  })
}

function tablesOf({ table, children }: Stream): readonly Table[] {
  return [table, ...children]
}
