/** Tables that are renamed because the source renamed their stream. */
import { expect, test } from 'vitest'
import { batch, column, stream, table } from '../../engine/sync/fixtures.ts'
import { loadInto, nextRun, rowsOf, run, versionsOf } from './history-bench.ts'
import { type TargetBench, type LacksFeature, load, newName, newWriter, writing } from './target-bench.ts'

const columns = [column('id', { kind: 'integer', bytes: 4 }, false), column('note', { kind: 'text' })]

export function renameCases(bench: TargetBench, lacks: LacksFeature): void {
  if (!lacks('sql')) historyCase(bench)
  test('a renamed table keeps its rows, and the next load continues in it', async () => {
    const [former, main] = [
      table(lacks('anyName') ? newName('former').replace(' ', '_') : newName('former'), columns),
      table(newName('renamed'), columns),
    ]
    const called = (which: typeof main) => ({ ...stream(which), name: `stream of ${main.name}` })
    const { name } = called(main)
    await writing(bench, async (target) => {
      await load(target, called(former), { batches: [batch(former, [['1', 'kept']])] })
      expect(await target.renameTables(name, [{ from: former.name, to: main.name }])).toEqual({ outcome: 'done' })
      expect((await target.listTables(name)).map(({ sourceName }) => sourceName)).toEqual([main.name])
      await load(target, called(main), { batches: [batch(main, [['2', 'new']])] })
      expect(await bench.rows(main)).toEqual([
        ['1', 'kept'],
        ['2', 'new'],
      ])
      // The previous name is free for another table.
      expect(await target.prepare({ ...stream(former), name: 'another stream' })).toMatchObject([{ column: null }])
    })
  })

  test('a name that another table has is refused, and nothing is renamed', async () => {
    const [one, other] = [table(newName('one'), columns), table(newName('other'), columns)]
    await writing(bench, async (target) => {
      await load(target, stream(one), { batches: [batch(one, [['1', 'kept']])] })
      await load(target, stream(other), { batches: [batch(other, [['2', 'its own']])] })
      const { outcome } = await target.renameTables(stream(one).name, [{ from: one.name, to: other.name }])
      expect(outcome).toBe('taken')
      expect([await bench.rows(one), await bench.rows(other)]).toEqual([[['1', 'kept']], [['2', 'its own']]])
    })
  })

  test('a writer that was declared dead renames nothing', async () => {
    const main = table(newName('held'), columns)
    const writer = newWriter(1)
    await writing(
      bench,
      async (target) => {
        await load(target, stream(main), { batches: [batch(main, [['1', 'kept']])] })
        await writing(bench, () => Promise.resolve(), { ...writer, fence: 2 })
        // The writer is refused by the fence, or its successor has already ended its session.
        await expect(
          target.renameTables(stream(main).name, [{ from: main.name, to: newName('stolen') }]),
        ).rejects.toBeInstanceOf(Error)
      },
      writer,
    )
    expect(await bench.rows(main)).toEqual([['1', 'kept']])
  })
}

function historyCase(bench: TargetBench): void {
  test('[TRUST-6] a renamed table takes its history along: its table, its past, and what returns it', async () => {
    const [former, main] = [table(newName('former_ledger'), columns), table(newName('renamed_ledger'), columns)]
    const called = (which: typeof main) => ({ ...stream(which), name: `history of ${main.name}` })
    const [of, renamed] = [called(former), called(main)]
    const writer = newWriter()
    const cutOff = await run(bench, {
      writer,
      of,
      work: (target) => loadInto(target, of, [batch(former, [['1', 'kept']])]),
    })
    const next = nextRun(writer)
    const formerName = await writing(
      bench,
      async (target) => {
        await target.prepare(of)
        const name = target.tableNameOf(of)
        const rename = [{ from: former.name, to: main.name }]
        expect(await target.renameTables(of.name, rename)).toEqual({ outcome: 'done' })
        await target.prepare(renamed)
        const table = target.tableNameOf(renamed)
        expect(table).not.toBe(name)
        expect(target.histories(renamed)).toEqual([{ table, name: `${table}__history`, since: cutOff }])
        await loadInto(target, renamed, [batch(main, [['1', 'changed']])])
        expect(await rowsOf(target, main, cutOff)).toEqual([['1', 'kept']])
        expect(await versionsOf(target, renamed)).toHaveLength(2)
        return name
      },
      next,
    )
    // The former names are free: another table gets them, and begins a history there.
    const other = { ...stream(former), name: `another stream of ${main.name}` }
    await run(bench, {
      writer: nextRun(next),
      of: other,
      work: async (target) => {
        expect(target.histories(other)).toMatchObject([{ table: formerName, name: `${formerName}__history` }])
        await loadInto(target, other, [batch(former, [['5', 'new']])])
        expect(await versionsOf(target, other)).toHaveLength(1)
      },
    })
  })
}
