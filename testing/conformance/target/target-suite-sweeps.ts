/** Key comparisons: deletes need a complete set of keys, never a partial one. */
import { expect, test } from 'vitest'
import { decodeRows, encodeRows } from '@tributary/engine/encoding/copy-text'
import type { Column, LogicalType, Table } from '@tributary/engine/ports/model'
import type { MissingKeys } from '@tributary/engine/ports/target'
import { batch, column, stream, table, yielding } from '../../engine/sync/fixtures.ts'
import { load, newName, writing, type TargetBench } from './target-bench.ts'

const name = column('name', { kind: 'text', maxLength: 50 })
const id = column('id', { kind: 'integer', bytes: 4 }, false)
const loose = { rows: 1_000, share: 0.3 }

export function sweepCases(bench: TargetBench): void {
  deletionCases(bench)
  guardCases(bench)
  missingKeyCases(bench)
}

function deletionCases(bench: TargetBench): void {
  test('a key comparison deletes the rows whose keys the source no longer has, and their children', async () => {
    const area = column('area', { kind: 'text', maxLength: 9 }, false)
    const main = table(newName('sweep'), [area, id, name], ['area', 'id'])
    const lines: Table = {
      name: newName('sweep line'),
      columns: [area, id, { ...id, name: 'line' }],
      key: ['area', 'id', 'line'],
      parentKey: ['area', 'id'],
    }
    const swept = stream(main, { children: [lines] })
    await writing(bench, async (target) => {
      const rows = batch(main, [
        ['north', '1', 'a'],
        ['north', '2', 'b'],
        ['south', '1', 'c'],
      ])
      await load(target, swept, {
        batches: [
          rows,
          batch(lines, [
            ['north', '1', '1'],
            ['north', '2', '1'],
            ['south', '1', '1'],
          ]),
        ],
      })
      const keys = yielding(
        batch(main, [['south', '1']]),
        batch(main, [
          ['north', '1'],
          ['north', '77'],
        ]),
      )
      expect(await target.compareKeys(swept, keys, loose)).toEqual({
        outcome: 'done',
        deleted: 1,
        missing: keysOf(['north', '77']),
      })
      expect((await target.state(swept)).sweptAt).toMatch(/^\d{4}-\d\d-\d\dT/)
    })
    expect(await bench.rows(main)).toEqual([
      ['north', '1', 'a'],
      ['south', '1', 'c'],
    ])
    expect(await bench.rows(lines)).toEqual([
      ['north', '1', '1'],
      ['south', '1', '1'],
    ])
  })
}

function guardCases(bench: TargetBench): void {
  test('a key comparison that would delete more than the guard allows deletes nothing and returns the number', async () => {
    const main = table(newName('guard'), [id, name])
    const guard = { rows: 2, share: 0.3 }
    await writing(bench, async (target) => {
      await load(target, stream(main), {
        batches: [
          batch(main, [
            ['1', 'a'],
            ['2', 'b'],
            ['3', 'c'],
            ['4', 'd'],
          ]),
        ],
      })
      expect(await target.compareKeys(stream(main), yielding(batch(main, [['1']])), guard)).toEqual({
        outcome: 'refused',
        wouldDelete: 3,
        rows: 4,
        missing: keysOf(),
      })
      expect((await target.state(stream(main))).sweptAt).toBeNull()
      expect(await target.compareKeys(stream(main), yielding(batch(main, [['1'], ['2']])), guard)).toEqual({
        outcome: 'done',
        deleted: 2,
        missing: keysOf(),
      })
    })
    expect(await bench.rows(main)).toEqual([
      ['1', 'a'],
      ['2', 'b'],
    ])
  })

  test('an interrupted set of keys deletes nothing', async () => {
    const main = table(newName('broken'), [id, name])
    await writing(bench, async (target) => {
      await load(target, stream(main), {
        batches: [
          batch(main, [
            ['1', 'a'],
            ['2', 'b'],
          ]),
        ],
      })
      await expect(target.compareKeys(stream(main), breakingOff(main), loose)).rejects.toThrow('the source has gone')
    })
    expect(await bench.rows(main)).toHaveLength(2)
  })
}

function missingKeyCases(bench: TargetBench): void {
  test('[ENG-1] a key comparison returns the keys that the table lacks, each value in its canonical text', async () => {
    const key = (name: string, type: LogicalType): Column => column(name, type, false)
    const main = table(
      newName('lacking'),
      [
        key('area', { kind: 'text', maxLength: 60 }),
        key('number', { kind: 'integer', bytes: 8 }),
        key('amount', { kind: 'decimal', precision: 9, scale: 2 }),
        key('share', { kind: 'double' }),
        key('is open', { kind: 'boolean' }),
        key('day', { kind: 'date' }),
        key('at', { kind: 'localTimestamp', digits: 6 }),
        key('moment', { kind: 'instant', digits: 6 }),
        key('guid', { kind: 'guid' }),
        key('mark', { kind: 'bytes', maxLength: 20 }),
      ],
      ['area', 'number', 'amount', 'share', 'is open', 'day', 'at', 'moment', 'guid', 'mark'],
    )
    const there = row('5', 'there')
    const lacking = [row('7', "it's"), row('6', 'tab\t, line\n, back\\slash and 😀')]
    await writing(bench, async (target) => {
      await load(target, stream(main), { batches: [batch(main, [there])] })
      const { missing } = await target.compareKeys(stream(main), yielding(batch(main, [there, ...lacking])), loose)
      expect(missing.count).toBe(2)
      expect(decodeRows(missing.rows).toSorted()).toEqual(lacking)
    })
  })
}

function row(number: string, area: string): readonly string[] {
  const moment = '2024-02-29 12:34:56.789012'
  const guid = '6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10'
  return [area, number, '-12.50', '0.1', 't', '2024-02-29', moment, `${moment}+00`, guid, '\\x00ff10']
}

/** Missing keys as a key comparison returns them. */
function keysOf(...keys: readonly (readonly string[])[]): MissingKeys {
  return { count: keys.length, rows: encodeRows(keys) }
}

async function* breakingOff(main: Table): AsyncGenerator<ReturnType<typeof batch>> {
  yield batch(main, [['1']])
  throw new Error('the source has gone')
}
