/** History: every row version with the time in which it was valid, whatever changed the rows. */
import { expect, test } from 'vitest'
import type { Column } from '@tributary/engine/ports/model'
import type { OpenTarget, Writer } from '@tributary/engine/ports/target'
import { batch, column, stream, table, yielding } from '../../engine/sync/fixtures.ts'
import { loadInto, nextRun, rowsOf, run, versionsOf } from './history-bench.ts'
import { newName, newWriter, type TargetBench, writing } from './target-bench.ts'
import { historyTypeCases } from './target-suite-history-types.ts'

const id = column('id', { kind: 'integer', bytes: 4 }, false)
const name = column('name', { kind: 'text', maxLength: 50 })
const amount = column('amount', { kind: 'decimal', precision: 20, scale: 4 })
const changed = column('changed', { kind: 'instant', digits: 6 })
const loose = { rows: 1_000, share: 1 }

export function historyCases(bench: TargetBench): void {
  historyTypeCases(bench)
  versionCases(bench)
  sameRunCases(bench)
  refreshCases(bench)
  switchingCases(bench)
  tableCases(bench)
}

function versionCases(bench: TargetBench): void {
  test('[TRUST-6] a changed and a deleted row stay in history, valid from the run that wrote them until the run that ended them', async () => {
    const main = table(newName('versions'), [id, name, changed])
    const of = stream(main, { changedAtColumn: 'changed' })
    const first = newWriter()
    const [second, third] = [nextRun(first), nextRun(nextRun(first))]
    const at = '2026-01-31 10:00:00.123456+00'
    const cutOffs = [
      await run(bench, {
        writer: first,
        of,
        work: (target) =>
          loadInto(target, of, [
            batch(main, [
              ['1', 'a', at],
              ['2', 'b', at],
            ]),
          ]),
      }),
      await run(bench, {
        writer: second,
        of,
        work: (target) => loadInto(target, of, [batch(main, [['1', 'a ', at]])]),
      }),
      await run(bench, {
        writer: third,
        of,
        work: (target) => target.compareKeys(of, yielding(batch(main, [['1']])), loose),
      }),
    ]
    expect(cutOffs).toEqual(cutOffs.toSorted())
    await writing(
      bench,
      async (target) => {
        await target.prepare(of)
        const [history] = target.histories(of)
        expect(history).toEqual({
          table: target.tableNameOf(of),
          name: `${target.tableNameOf(of)}__history`,
          since: cutOffs[0],
        })
        const names = (await rowsOf(target, main, cutOffs[0])).map(([, value]) => value)
        expect(names).toEqual(['a', 'b'])
        expect((await rowsOf(target, main, cutOffs[1])).map(([, value]) => value)).toEqual(['a ', 'b'])
        expect((await rowsOf(target, main, cutOffs[2])).map(([, value]) => value)).toEqual(['a '])
      },
      nextRun(third),
    )
  })
}

function sameRunCases(bench: TargetBench): void {
  test('[TRUST-6] a version that its own run changes again was never valid, and a repetition adds nothing', async () => {
    const main = table(newName('same run'), [id, name])
    const of = stream(main)
    const writer = newWriter()
    const load = (target: OpenTarget, value: string) => loadInto(target, of, [batch(main, [['1', value]])])
    await run(bench, { writer, of, work: (target) => load(target, 'a') })
    const cutOff = await run(bench, {
      writer: nextRun(writer),
      of,
      work: async (target) => {
        await load(target, 'b')
        await load(target, 'c')
        await load(target, 'c')
      },
    })
    await writing(
      bench,
      async (target) => {
        await target.prepare(of)
        expect(await versionsOf(target, of)).toHaveLength(2)
        expect(await rowsOf(target, main, cutOff)).toEqual([['1', 'c']])
      },
      nextRun(nextRun(writer)),
    )
  })
}

function refreshCases(bench: TargetBench): void {
  test('[TRUST-6] a full refresh adds only what changed', async () => {
    const main = table(newName('refreshed'), [id, name])
    const of = stream(main)
    const writer = newWriter()
    const rows = [
      ['1', 'a'],
      ['2', 'b'],
      ['3', null],
    ] as const
    await run(bench, { writer, of, work: (target) => loadInto(target, of, [batch(main, rows)], 'replace') })
    const again = [
      ['1', 'a'],
      ['2', 'changed'],
      ['4', 'new'],
    ] as const
    await run(bench, {
      writer: nextRun(writer),
      of,
      work: (target) => loadInto(target, of, [batch(main, again)], 'replace'),
    })
    await writing(
      bench,
      async (target) => {
        await target.prepare(of)
        const versions = await versionsOf(target, of)
        expect(versions).toHaveLength(5)
        expect(versions.filter(({ validTo }) => validTo !== null)).toHaveLength(2)
      },
      nextRun(nextRun(writer)),
    )
  })

  test('[TRUST-6] the cut-off of a run stays the same when it is attempted again, and grows with every run', async () => {
    const main = table(newName('cut-offs'), [id])
    const writer = newWriter()
    const attempt = (of: Writer) => run(bench, { writer: of, of: stream(main), work: async () => {} })
    const first = await attempt(writer)
    expect(await attempt({ ...writer, fence: 2 })).toBe(first)
    const second = await attempt({ ...nextRun(writer), fence: 3 })
    expect(second > first).toBe(true)
  })
}

function switchingCases(bench: TargetBench): void {
  test('[TRUST-6] history that is switched on later starts then, with the rows that are there', async () => {
    const main = table(newName('later'), [id, name])
    const of = stream(main)
    const writer = newWriter()
    await writing(
      bench,
      async (target) => {
        await target.prepare(of)
        await loadInto(target, of, [batch(main, [['1', 'a']])])
        expect(target.histories(of)).toEqual([])
        await expect(rowsOf(target, main, '2026-01-01T00:00:00.000000Z')).rejects.toThrow('No history is kept')
      },
      writer,
    )
    const since = await run(bench, { writer: nextRun(writer), of, work: async () => {} })
    await run(bench, {
      writer: { ...nextRun(writer), fence: 3 },
      of,
      work: (target) => loadInto(target, of, [batch(main, [['1', 'b']])]),
    })
    await writing(
      bench,
      async (target) => {
        await target.prepare(of)
        expect(await rowsOf(target, main, since)).toEqual([['1', 'a']])
        await target.prepare(of, 'off')
        expect(target.histories(of)).toEqual([])
      },
      { ...nextRun(writer), fence: 4 },
    )
    const restarted = await run(bench, { writer: { ...nextRun(writer), fence: 5 }, of, work: async () => {} })
    await writing(
      bench,
      async (target) => {
        await target.prepare(of)
        expect(target.histories(of)[0]?.since).toBe(restarted)
      },
      { ...nextRun(writer), fence: 6 },
    )
  })
}

function tableCases(bench: TargetBench): void {
  test('[TRUST-6] a table with columns of the same names as those of history, and a taken name, get other names', async () => {
    const word = newName('clash')
    const taken = table(`${word}__history`, [id])
    const main = table(word, [
      id,
      column('valid_to', { kind: 'text', maxLength: 10 }),
      column('run_id', { kind: 'integer', bytes: 4 }),
    ])
    const of = stream(main)
    const writer = newWriter()
    await writing(bench, (target) => target.prepare(stream(taken)), writer)
    const cutOff = await run(bench, {
      writer: nextRun(writer),
      of,
      work: (target) => loadInto(target, of, [batch(main, [['1', 'x', '7']])]),
    })
    await writing(
      bench,
      async (target) => {
        await target.prepare(of)
        expect(target.histories(of)[0]?.name).not.toBe(`${target.tableNameOf(of)}__history`)
        expect(await rowsOf(target, main, cutOff)).toEqual([['1', 'x', '7']])
      },
      { ...nextRun(writer), fence: 3 },
    )
  })

  test('[TRUST-6] columns that are added or widened later are added and widened in history, and former versions lack their values', async () => {
    const main = table(newName('grown'), [id, name])
    const of = stream(main)
    const writer = newWriter()
    const former = await run(bench, { writer, of, work: (target) => loadInto(target, of, [batch(main, [['1', 'a']])]) })
    const grown = { ...main, columns: [id, { ...name, type: { kind: 'text' } } satisfies Column, amount] }
    const wide = stream(grown)
    const later = await run(bench, {
      writer: nextRun(writer),
      of: wide,
      work: (target) => loadInto(target, wide, [batch(grown, [['1', 'x'.repeat(500), '1.2500']])]),
    })
    await writing(
      bench,
      async (target) => {
        await target.prepare(wide)
        expect(await rowsOf(target, grown, former)).toEqual([['1', 'a', null]])
        expect(await rowsOf(target, grown, later)).toEqual([['1', 'x'.repeat(500), '1.2500']])
      },
      { ...nextRun(writer), fence: 3 },
    )
  })
}
