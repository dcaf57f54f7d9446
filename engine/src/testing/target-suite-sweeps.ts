/** Deletes come from a complete set of keys, never from a partial one. */
import { expect, test } from 'vitest'
import type { Table } from '../model.ts'
import { batch, column, stream, table, yielding } from './fixtures.ts'
import { load, newName, writing, type Bench } from './target-bench.ts'

const name = column('name', { kind: 'text', maxLength: 50 })
const id = column('id', { kind: 'integer', bytes: 4 }, false)
const loose = { rows: 1_000, share: 0.3 }

export function sweepCases(bench: Bench): void {
  test('a sweep deletes the rows, and their children, whose keys the source no longer has', async () => {
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
      expect(await target.sweep(swept, keys, loose)).toEqual({ outcome: 'done', deleted: 1 })
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

  test('a sweep that would take more than the guard allows deletes nothing and says how many it would', async () => {
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
      expect(await target.sweep(stream(main), yielding(batch(main, [['1']])), guard)).toEqual({
        outcome: 'refused',
        wouldDelete: 3,
        rows: 4,
      })
      expect((await target.state(stream(main))).sweptAt).toBeNull()
      expect(await target.sweep(stream(main), yielding(batch(main, [['1'], ['2']])), guard)).toEqual({ outcome: 'done', deleted: 2 })
    })
    expect(await bench.rows(main)).toEqual([
      ['1', 'a'],
      ['2', 'b'],
    ])
  })

  test('keys that break off in their midst delete nothing', async () => {
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
      await expect(target.sweep(stream(main), breakingOff(main), loose)).rejects.toThrow('the source has gone')
    })
    expect(await bench.rows(main)).toHaveLength(2)
  })
}

async function* breakingOff(main: Table): AsyncGenerator<ReturnType<typeof batch>> {
  yield batch(main, [['1']])
  throw new Error('the source has gone')
}
