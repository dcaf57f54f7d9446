/** Merges and replacements: the rows after each. */
import { expect, test } from 'vitest'
import { batch, column, stream, table } from '../../engine/sync/fixtures.ts'
import { load, newName, newWriter, writing, type TargetBench } from './target-bench.ts'
import { childCases } from './target-suite-children.ts'

const replace = { kind: 'replace', resume: false } as const
const id = column('id', { kind: 'integer', bytes: 4 }, false)
const name = column('name', { kind: 'text', maxLength: 50 })

export function loadCases(bench: TargetBench): void {
  mergeCases(bench)
  batchCases(bench)
  childCases(bench)
  replaceCases(bench)
  resumeCases(bench)
}

function mergeCases(bench: TargetBench): void {
  test('loading the same rows twice leaves the same rows, and writes nothing the second time', async () => {
    const main = table(newName('twice'), [id, name])
    const rows = [
      ['1', 'one'],
      ['2', null],
    ]
    const counts = await writing(bench, async (target) => [
      await load(target, stream(main), { batches: [batch(main, rows)] }),
      await load(target, stream(main), { batches: [batch(main, rows)] }),
    ])
    expect(counts).toEqual([
      { inserted: 2, updated: 0, deleted: 0 },
      { inserted: 0, updated: 0, deleted: 0 },
    ])
    expect(await bench.rows(main)).toEqual(rows)
  })

  test('a merge updates changed rows, also from and to null, and inserts new ones', async () => {
    const main = table(newName('merge'), [id, name])
    const counts = await writing(bench, async (target) => {
      await load(target, stream(main), {
        batches: [
          batch(main, [
            ['1', 'one'],
            ['2', null],
            ['3', 'three'],
          ]),
        ],
      })
      return load(target, stream(main), {
        batches: [
          batch(main, [
            ['1', null],
            ['2', 'two'],
            ['3', 'three'],
            ['4', 'four'],
          ]),
        ],
      })
    })
    expect(counts).toEqual({ inserted: 1, updated: 2, deleted: 0 })
    expect(await bench.rows(main)).toEqual([
      ['1', null],
      ['2', 'two'],
      ['3', 'three'],
      ['4', 'four'],
    ])
  })
}

function batchCases(bench: TargetBench): void {
  test.each(['merge', 'replace'] as const)(
    'of several rows with one key in a batch the last wins (%s)',
    async (kind) => {
      const main = table(newName('last'), [id, name])
      const twice = stream(main, { hasDistinctKeys: false })
      const mode = kind === 'merge' ? { kind } : replace
      await writing(bench, (target) =>
        load(target, twice, {
          mode,
          batches: [
            batch(main, [
              ['1', 'first'],
              ['2', 'two'],
              ['1', 'last'],
            ]),
          ],
        }),
      )
      expect(await bench.rows(main)).toEqual([
        ['1', 'last'],
        ['2', 'two'],
      ])
    },
  )

  test('batches may split rows at any byte', async () => {
    const main = table(newName('cut'), [id, name])
    const whole = batch(main, [
      ['1', 'one Ω'],
      ['2', 'two'],
    ])
    const pieces = [3, 8, 9].map((end, at, ends) => ({
      ...whole,
      bytes: whole.bytes.subarray(ends[at - 1] ?? 0, end),
      rows: 0,
    }))
    const rest = { ...whole, bytes: whole.bytes.subarray(9) }
    await writing(bench, (target) => load(target, stream(main), { batches: [...pieces, rest] }))
    expect(await bench.rows(main)).toEqual([
      ['1', 'one Ω'],
      ['2', 'two'],
    ])
  })
}

function replaceCases(bench: TargetBench): void {
  test('a replacement leaves exactly the new rows', async () => {
    const main = table(newName('replace'), [id, name])
    await writing(bench, async (target) => {
      await load(target, stream(main), {
        mode: replace,
        batches: [
          batch(main, [
            ['1', 'old'],
            ['2', 'old'],
          ]),
        ],
      })
      await load(target, stream(main), {
        mode: replace,
        batches: [
          batch(main, [
            ['2', 'new'],
            ['3', 'new'],
          ]),
        ],
      })
      expect(await target.state(stream(main))).toMatchObject({ checkpoint: { at: 'end' }, rows: 2, replacement: null })
    })
    expect(await bench.rows(main)).toEqual([
      ['2', 'new'],
      ['3', 'new'],
    ])
  })

  test('a replacement with no rows empties the table; a merge with none leaves it', async () => {
    const main = table(newName('none'), [id, name])
    await writing(bench, async (target) => {
      await load(target, stream(main), { batches: [batch(main, [['1', 'one']])] })
      await load(target, stream(main), { batches: [] })
      expect(await bench.rows(main)).toHaveLength(1)
      await load(target, stream(main), { mode: replace, batches: [] })
    })
    expect(await bench.rows(main)).toEqual([])
  })

  test('a table without a key is replaced completely and may contain duplicate rows', async () => {
    const main = table(newName('keyless'), [id, name], [])
    const rows = [
      ['1', 'same'],
      ['1', 'same'],
    ]
    await writing(bench, async (target) => {
      for (let round = 0; round < 2; round++)
        await load(target, stream(main), { mode: replace, batches: [batch(main, rows)] })
    })
    expect(await bench.rows(main)).toEqual(rows)
  })
}

function resumeCases(bench: TargetBench): void {
  test('an interrupted replacement continues from its last commit, and old rows stay until it ends', async () => {
    const main = table(newName('resume'), [id, name])
    const writer = newWriter()
    await writing(
      bench,
      (target) => load(target, stream(main), { mode: replace, batches: [batch(main, [['9', 'old']])] }),
      writer,
    )
    await writing(
      bench,
      async (target) => {
        await target.prepare(stream(main))
        await using half = await target.load(stream(main), replace)
        await half.write(
          batch(main, [
            ['1', 'one'],
            ['2', 'two'],
          ]),
        )
        await half.commit({ page: 1 })
        await half.write(batch(main, [['3', 'lost']]))
      },
      writer,
    )
    expect(await bench.rows(main)).toEqual([['9', 'old']])
    await writing(
      bench,
      async (target) => {
        await target.prepare(stream(main))
        expect((await target.state(stream(main))).replacement).toEqual({ checkpoint: { page: 1 }, runId: writer.runId })
        await load(target, stream(main), {
          mode: { kind: 'replace', resume: true },
          batches: [
            batch(main, [
              ['2', 'again'],
              ['3', 'three'],
            ]),
          ],
        })
      },
      { ...writer, fence: 2 },
    )
    expect(await bench.rows(main)).toEqual([
      ['1', 'one'],
      ['2', 'again'],
      ['3', 'three'],
    ])
  })
}
