import { describe, expect, test } from 'vitest'
import { fitType } from './type-widening.ts'
import type { Column, LogicalType } from '../../ports/model.ts'
import { changesOf, columnNames, foreseenOf, type FoundColumn, type Meeting, planColumns } from './table-layout.ts'
import { facts } from '../postgres/target/facts.ts'
import { column, table } from '@tributary/testing/engine/sync/fixtures.ts'

interface Found extends FoundColumn {
  readonly holds: LogicalType
}

const integer: LogicalType = { kind: 'integer', bytes: 4 }
const found = (name: string, holds: LogicalType): Found => ({ name, type: facts.columnType(holds), holds })

function meet({ type, holds }: Found, want: LogicalType): Meeting {
  const fit = fitType(holds, want)
  if (fit.kind === 'clash') return fit
  return { kind: fit.kind, type: fit.kind === 'widen' ? facts.columnType(fit.to) : type }
}

function plan(columns: readonly Column[], there: readonly Found[]): ReturnType<typeof planColumns<Found>> {
  const wanted = table('invoice', [...columns])
  const find = (name: string): Found | undefined => there.find((one) => one.name === name)
  return planColumns({
    facts,
    table: wanted,
    name: 'invoice',
    wanted: columns,
    nameOf: columnNames(wanted, facts.identifierMax),
    find,
    meet,
  })
}

function told(columns: readonly Column[], there: readonly Found[]): ReturnType<typeof changesOf> {
  const placement = { table: table('Invoices', [...columns]), name: 'invoice', columns: [], key: [], parentKey: [] }
  return changesOf({ placement, spots: plan(columns, there), actual: there, isClaimed: true })
}

function foreseen(
  columns: readonly Column[],
  there: readonly Found[],
): readonly (readonly [string | null, string | null])[] {
  const placement = { table: table('Invoices', [...columns]), name: 'invoice', columns: [], key: [], parentKey: [] }
  return foreseenOf({ placement, spots: plan(columns, there), actual: there, isClaimed: true }).map(
    ({ column, of }) => [column, of.column],
  )
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
    const spots = plan(columns, there)
    expect(spots.map(({ name, type, step }) => [name, type, step.kind])).toEqual([
      ['id', 'integer', 'keep'],
      ['note', 'text', 'add'],
      ['count', 'bigint', 'widen'],
      ['flag', 'text', 'widen'],
    ])
    expect(told(columns, there)).toEqual([
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

  test('of a table that is new are told as one change, and foreseen one by one', () => {
    expect(told([id], [])).toEqual([{ table: 'invoice', column: null, before: null, after: 'new table' }])
    expect(foreseen([id], [])).toEqual([
      [null, null],
      ['id', 'id'],
    ])
  })

  test('go on in the column of text that an earlier version has put beside', () => {
    const columns = [id, column('flag', { kind: 'date' })]
    const there = [found('id', integer), found('flag', integer), found('flag__text', { kind: 'text' })]
    expect(told(columns, there)).toEqual([])
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
