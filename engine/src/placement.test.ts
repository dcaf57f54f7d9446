import { describe, expect, test } from 'vitest'
import { fitType } from './evolve.ts'
import type { Column, LogicalType } from './model.ts'
import { changesOf, columnNames, type FoundColumn, type Meeting, planColumns } from './placement.ts'
import { facts } from './targets/postgres/facts.ts'
import { column, table } from './testing/fixtures.ts'

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

describe('the columns of a table', () => {
  const id = column('id', integer, false)

  test('are kept, added or widened, and a type that has changed goes into text beside', () => {
    const columns = [
      id,
      column('note', { kind: 'text' }),
      column('count', { kind: 'integer', bytes: 8 }),
      column('flag', { kind: 'boolean' }),
    ]
    const spots = plan(columns, [found('id', integer), found('count', integer), found('flag', integer)])
    expect(spots.map(({ name, type, step }) => [name, type, step.kind])).toEqual([
      ['id', 'integer', 'keep'],
      ['note', 'text', 'add'],
      ['count', 'bigint', 'widen'],
      ['flag__text', 'text', 'add'],
    ])
    expect(changesOf('invoice', spots)).toEqual([
      { table: 'invoice', column: 'note', before: null, after: 'text' },
      { table: 'invoice', column: 'count', before: 'integer', after: 'bigint' },
      { table: 'invoice', column: 'flag__text', before: null, after: 'text' },
    ])
  })

  test('use the text beside again once it is there', () => {
    const spots = plan(
      [id, column('flag', { kind: 'boolean' })],
      [found('id', integer), found('flag', integer), found('flag__text', { kind: 'text' })],
    )
    expect(changesOf('invoice', spots)).toEqual([])
    expect(spots[1]).toMatchObject({ name: 'flag__text', type: 'text' })
  })

  test('are refused where the key has become another type', () => {
    expect(() => plan([id], [found('id', { kind: 'date' })])).toThrow(
      expect.objectContaining({ kind: 'settings', code: 'postgres.unfit', notice: expect.stringContaining('was date and is now integer') }),
    )
  })
})
