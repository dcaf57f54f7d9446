/** History of tables whose columns get other types. */
import { expect, test } from 'vitest'
import { batch, column, stream, table } from '../../engine/sync/fixtures.ts'
import { loadInto, nextRun, rowsOf, run, versionsOf } from './history-bench.ts'
import { newName, newWriter, type TargetBench, writing } from './target-bench.ts'

const id = column('id', { kind: 'integer', bytes: 4 }, false)
const name = column('name', { kind: 'text', maxLength: 50 })
const amount = column('amount', { kind: 'decimal', precision: 20, scale: 4 })

export function historyTypeCases(bench: TargetBench): void {
  refreshedTypeCases(bench)
  keyTypeCases(bench)
}

function refreshedTypeCases(bench: TargetBench): void {
  test('[TRUST-6] a full refresh with other types keeps former values digit by digit: history is widened, to text if need be', async () => {
    const note = column('note', { kind: 'text' })
    const main = table(newName('retyped'), [id, note, amount])
    const of = stream(main)
    const writer = newWriter()
    const rows = [
      ['1', '12.50', '1.2345'],
      ['2', 'abc', '5.0000'],
    ] as const
    const former = await run(bench, {
      writer,
      of,
      work: (target) => loadInto(target, of, [batch(main, rows)], 'replace'),
    })
    const [number, flat] = [
      column('note', { kind: 'decimal', precision: 10, scale: 2 }),
      column('amount', { kind: 'integer', bytes: 8 }),
    ]
    const narrow = { ...main, columns: [id, number, flat] }
    const later = stream(narrow)
    const refreshed = [
      ['1', '12.50', '1'],
      ['2', '7.25', '5'],
    ] as const
    const cutOffs: string[] = []
    let last = writer
    for (let round = 0; round < 2; round += 1) {
      last = nextRun(last)
      cutOffs.push(
        await run(bench, {
          writer: last,
          of: later,
          work: (target) => loadInto(target, later, [batch(narrow, refreshed)], 'replace'),
        }),
      )
    }
    await writing(
      bench,
      async (target) => {
        await target.prepare(later)
        expect(await rowsOf(target, narrow, former)).toEqual([
          ['1', '12.50', '1.2345'],
          ['2', 'abc', '5.0000'],
        ])
        for (const cutOff of cutOffs)
          expect((await rowsOf(target, narrow, cutOff)).map((row) => row.map(Number))).toEqual([
            [1, 12.5, 1],
            [2, 7.25, 5],
          ])
        // The second refresh changed nothing.
        expect(await versionsOf(target, later)).toHaveLength(4)
      },
      nextRun(last),
    )
  })
}

function keyTypeCases(bench: TargetBench): void {
  test('[TRUST-6] a key of another type, after its table was dropped, is refused with what to do about its history', async () => {
    const code = column('code', { kind: 'text', maxLength: 20 }, false)
    const main = { ...table(newName('rekeyed'), [code, name]), key: ['code'] }
    const of = stream(main)
    const writer = newWriter()
    await run(bench, { writer, of, work: (target) => loadInto(target, of, [batch(main, [['7', 'a']])]) })
    await bench.drop(main)
    const later = stream({ ...main, columns: [column('code', { kind: 'integer', bytes: 4 }, false), name] })
    const refused = run(bench, { writer: nextRun(writer), of: later, work: () => Promise.resolve() })
    await expect(refused).rejects.toMatchObject({
      kind: 'settings',
      notice: expect.stringContaining('Rename or drop that history in the target') as unknown,
    })
  })
}
