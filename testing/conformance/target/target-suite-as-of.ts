/** What people read of history, and how long it is kept. */
import { expect, test } from 'vitest'
import type { OpenTarget } from '@tributary/engine/ports/target'
import { batch, column, stream, table } from '../../engine/sync/fixtures.ts'
import { loadInto, nextRun, rowsOf, run } from './history-bench.ts'
import { newName, newWriter, type TargetBench, writing } from './target-bench.ts'

const id = column('id', { kind: 'integer', bytes: 4 }, false)
const name = column('name', { kind: 'text', maxLength: 50 })
const amount = column('amount', { kind: 'decimal', precision: 20, scale: 4 })

export function asOfCases(bench: TargetBench): void {
  test('[TRUST-7] as_of returns the rows of a moment, and refuses one before the history began', async () => {
    const main = table(newName('as of'), [id, name])
    const of = stream(main)
    const writer = newWriter()
    const load = (value: string) => (target: OpenTarget) => loadInto(target, of, [batch(main, [['1', value]])])
    const first = await run(bench, { writer, of, work: load('a') })
    const second = await run(bench, { writer: nextRun(writer), of, work: load('b') })
    const grown = { ...main, columns: [id, name, amount] }
    await run(bench, { writer: { ...nextRun(writer), fence: 3 }, of: stream(grown), work: async () => {} })
    expect(await bench.asOf(main.name, first)).toEqual(['(1,a,)'])
    expect(await bench.asOf(main.name, second)).toEqual(['(1,b,)'])
    await expect(bench.asOf(main.name, '2001-01-01T00:00:00.000000Z')).rejects.toThrow('Nothing is known of before')
  })
}

export function retentionCases(bench: TargetBench): void {
  test('[TRUST-6] retention removes versions that ended before, but none that a kept moment needs; before it nothing is shown', async () => {
    const main = table(newName('trimmed'), [id, name])
    const of = stream(main)
    const writers = Array.from({ length: 5 }, (_, at) => ({ ...newWriter(at + 1), connectorId: 'trimmed' }))
    const cutOffs: string[] = []
    for (const [at, value] of ['a', 'b', 'c', 'd'].entries()) {
      const work = (target: OpenTarget) => loadInto(target, of, [batch(main, [['1', value]])])
      cutOffs.push(await run(bench, { writer: writers[at] ?? newWriter(), of, work }))
    }
    const [first = '', second = '', third = '', fourth = ''] = cutOffs
    await writing(
      bench,
      async (target) => {
        await target.prepare(of)
        expect(await target.trimHistory(of, { before: fourth, keep: [second] })).toBe(2)
        expect(await rowsOf(target, main, second)).toEqual([['1', 'b']])
        expect(await rowsOf(target, main, third)).toEqual([])
        expect(await rowsOf(target, main, fourth)).toEqual([['1', 'd']])
        const [size, historySize] = await target.measureTables(of)
        expect(historySize).toMatchObject({ name: `${size?.name}__history`, rows: 2 })
        await target.prepare(of)
        await expect(bench.asOf(main.name, first)).rejects.toThrow('Nothing is known of before')
      },
      writers[4],
    )
  })
}
