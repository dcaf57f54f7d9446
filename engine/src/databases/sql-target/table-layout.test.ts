import { describe, expect, test } from 'vitest'
import { fitType } from './type-widening.ts'
import type { Column, LogicalType } from '../../ports/model.ts'
import {
  type ColumnFit,
  columnNames,
  type ExistingColumn,
  listChanges,
  listPlannedChanges,
  planColumns,
  type TargetTable,
} from './table-layout.ts'
import { facts } from '../postgres/target-facts.ts'
import { column, table } from '@tributary/testing/engine/sync/fixtures.ts'

interface FoundColumn extends ExistingColumn {
  readonly holds: LogicalType
}

const integer: LogicalType = { kind: 'integer', bytes: 4 }
const found = (name: string, holds: LogicalType): FoundColumn => ({
  name,
  type: facts.columnType(holds),
  isKey: false,
  holds,
})

function fit({ type, holds }: FoundColumn, want: LogicalType): ColumnFit {
  const widened = fitType(holds, want)
  if (widened.kind === 'clash') return widened
  return { kind: widened.kind, type: widened.kind === 'widen' ? facts.columnType(widened.to) : type }
}

function plan(columns: readonly Column[], there: readonly FoundColumn[]): ReturnType<typeof planColumns<FoundColumn>> {
  const wanted = table('invoice', [...columns])
  const find = (name: string): FoundColumn | undefined => there.find((one) => one.name === name)
  return planColumns({
    facts,
    table: wanted,
    name: 'invoice',
    wanted: columns,
    nameOf: columnNames(wanted, facts.identifierMax),
    find,
    fit,
  })
}

function invoice(columns: readonly Column[]): TargetTable {
  const source = table('Invoices', [...columns])
  return { table: source, schema: '', name: 'invoice', columns: [], key: [], parentKey: [] }
}

function reported(columns: readonly Column[], there: readonly FoundColumn[]): ReturnType<typeof listChanges> {
  return listChanges({ target: invoice(columns), columns: plan(columns, there), existing: there, isClaimed: true })
}

function foreseen(
  columns: readonly Column[],
  there: readonly FoundColumn[],
): readonly (readonly [string | null, string | null])[] {
  const changes = listPlannedChanges({
    target: invoice(columns),
    columns: plan(columns, there),
    existing: there,
    isClaimed: true,
  })
  return changes.map(({ column, sourceName }) => [column, sourceName.column])
}

describe('the columns of a table', () => {
  const id = column('id', integer, false)

  test('are kept, added or widened, to text where the type is another', () => {
    const columns = [
      id,
      column('note', { kind: 'text' }),
      column('count', { kind: 'integer', bytes: 8 }),
      column('flag', { kind: 'date' }),
    ]
    const there = [found('id', integer), found('count', integer), found('flag', integer)]
    const plans = plan(columns, there)
    expect(plans.map(({ name, type, change }) => [name, type, change.kind])).toEqual([
      ['id', 'integer', 'keep'],
      ['note', 'text', 'add'],
      ['count', 'bigint', 'widen'],
      ['flag', 'text', 'widen'],
    ])
    expect(reported(columns, there)).toEqual([
      { table: 'invoice', column: 'note', before: null, after: 'text' },
      { table: 'invoice', column: 'count', before: 'integer', after: 'bigint' },
      { table: 'invoice', column: 'flag', before: 'integer', after: 'text' },
    ])
    expect(foreseen(columns, there)).toEqual([
      ['note', 'note'],
      ['count', 'count'],
      ['flag', 'flag'],
    ])
  })

  test('of a new table are reported as one change, and previewed one by one', () => {
    expect(reported([id], [])).toEqual([{ table: 'invoice', column: null, before: null, after: 'new table' }])
    expect(foreseen([id], [])).toEqual([
      [null, null],
      ['id', 'id'],
    ])
  })

  test('stay in the additional text column of an earlier version', () => {
    const columns = [id, column('flag', { kind: 'date' })]
    const there = [found('id', integer), found('flag', integer), found('flag__text', { kind: 'text' })]
    expect(reported(columns, there)).toEqual([])
    expect(plan(columns, there)[1]).toMatchObject({ name: 'flag__text', type: 'text' })
  })

  test('are refused where the key has become another type', () => {
    expect(() => plan([id], [found('id', { kind: 'date' })])).toThrow(
      expect.objectContaining({
        kind: 'settings',
        code: 'postgres.unfit',
        notice: expect.stringContaining('was date and is now integer'),
      }),
    )
  })
})
