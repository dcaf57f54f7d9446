/** Tables whose source has changed its columns. */
import { expect, test } from 'vitest'
import { batch, column, stream, table } from '../../engine/sync/fixtures.ts'
import { load, newName, writing, type TargetBench, type LacksFeature } from './target-bench.ts'

const id = column('id', { kind: 'integer', bytes: 4 }, false)
const name = column('name', { kind: 'text', maxLength: 50 })

export function shapeCases(bench: TargetBench, lacks: LacksFeature): void {
  if (!lacks('alterColumn')) wideningCases(bench)

  if (!lacks('alterColumn')) retypedCases(bench)
}

function retypedCases(bench: TargetBench): void {
  test('[ENG-1] a column that changes from numbers to text becomes text and keeps its values, and the stream is read again', async () => {
    const number = column('amount', { kind: 'integer', bytes: 4 })
    const main = table(newName('clash'), [id, number])
    const changed = table(main.name, [id, column('amount', { kind: 'text', maxLength: 20 })])
    await writing(bench, async (target) => {
      await load(target, stream(main), {
        batches: [batch(main, [['1', '10']])],
      })
      expect(await target.previewChanges(stream(changed))).toMatchObject([{ column: 'amount', isRetyped: true }])
      expect(await target.prepare(stream(changed))).toMatchObject([{ column: 'amount' }])
      expect((await target.state(stream(changed))).checkpoint).toBeNull()
      expect(await bench.rows(changed)).toEqual([['1', '10']])
      await load(target, stream(changed), { batches: [batch(changed, [['2', 'ten']])] })
      expect(await target.previewChanges(stream(changed))).toEqual([])
    })
    expect(await bench.rows(changed)).toEqual([
      ['1', '10'],
      ['2', 'ten'],
    ])
  })
}

function wideningCases(bench: TargetBench): void {
  test('a new column is added and reported; a wider one is widened; a column that the source drops stays', async () => {
    const main = table(newName('drift'), [id, name, column('gone', { kind: 'text', maxLength: 9 }, false)])
    const wider = column('name', { kind: 'text', maxLength: 200 })
    const grown = table(main.name, [id, wider, column('added', { kind: 'decimal', precision: 18, scale: 2 })])
    await writing(bench, async (target) => {
      await load(target, stream(main), { batches: [batch(main, [['1', 'one', 'kept']])] })
      const changes = await target.prepare(stream(grown))
      expect(changes).toContainEqual(expect.objectContaining({ before: null, column: 'added' }))
      await load(target, stream(grown), { batches: [batch(grown, [['2', 'x'.repeat(200), '3.50']])] })
      expect(await target.prepare(stream(grown))).toEqual([])
    })
    expect(await bench.rows(grown)).toEqual([
      ['1', 'one', null],
      ['2', 'x'.repeat(200), '3.50'],
    ])
    expect(await bench.rows({ ...main, columns: main.columns.slice(0, 3) })).toEqual([
      ['1', 'one', 'kept'],
      ['2', 'x'.repeat(200), null],
    ])
  })
}
