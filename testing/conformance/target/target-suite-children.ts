/** Parent and child tables: children of a parent that is loaded again or deleted. */
import { expect, test } from 'vitest'
import type { Column, Table } from '@tributary/engine/ports/model'
import { batch, column, stream, table } from '../../engine/sync/fixtures.ts'
import { load, newName, newWriter, writing, type TargetBench } from './target-bench.ts'

const id = column('id', { kind: 'integer', bytes: 4 }, false)
const name = column('name', { kind: 'text', maxLength: 50 })

export function childCases(bench: TargetBench): void {
  replacedChildCases(bench)
  repeatedParentCases(bench)
  deletedRowCases(bench)
}

function replacedChildCases(bench: TargetBench): void {
  test('children of the parents in a batch are replaced: changed, added and deleted', async () => {
    const { parent, lines, invoices } = family()
    const writer = newWriter()
    await writing(
      bench,
      async (target) => {
        await load(target, invoices, {
          batches: [
            batch(parent, [
              ['1', 'a'],
              ['2', 'b'],
            ]),
            batch(lines, [
              ['1', '1', 'x'],
              ['1', '2', 'y'],
              ['2', '1', 'z'],
            ]),
          ],
        })
        await load(target, invoices, {
          batches: [
            batch(parent, [['1', 'a']]),
            batch(lines, [
              ['1', '2', 'changed'],
              ['1', '3', 'new'],
            ]),
          ],
        })
      },
      writer,
    )
    expect(await bench.rows(lines)).toEqual([
      ['1', '2', 'changed'],
      ['1', '3', 'new'],
      ['2', '1', 'z'],
    ])
    await writing(bench, (target) => load(target, invoices, { batches: [batch(parent, [['2', 'b']])] }), writer)
    expect(await bench.rows(lines)).toEqual([
      ['1', '2', 'changed'],
      ['1', '3', 'new'],
    ])
  })
}

function repeatedParentCases(bench: TargetBench): void {
  test.each(['merge', 'replace'] as const)(
    'of a parent that comes twice in one commit only the last children remain (%s)',
    async (kind) => {
      const { parent, lines } = family()
      const invoices = stream(parent, { children: [lines], hasDistinctKeys: false })
      const rowsOf = (note: string, numbers: readonly string[]) => [
        batch(parent, [
          ['1', note],
          [note === 'first' ? '2' : '3', 'other'],
        ]),
        batch(
          lines,
          numbers.map((number) => ['1', number, note]),
        ),
      ]
      const counts = await writing(bench, async (target) => {
        const mode = kind === 'merge' ? { kind } : { kind, resume: false }
        return load(target, invoices, {
          mode,
          batches: [
            ...rowsOf('first', ['1', '2', '3']),
            ...rowsOf('second', ['2', '4']),
            ...rowsOf('third', ['2']),
            batch(lines, [['2', '1', 'kept']]),
          ],
        })
      })
      expect(await bench.rows(parent)).toEqual([
        ['1', 'third'],
        ['2', 'other'],
        ['3', 'other'],
      ])
      expect(await bench.rows(lines)).toEqual([
        ['1', '2', 'third'],
        ['2', '1', 'kept'],
      ])
      expect(counts.inserted - counts.deleted).toBe(5)
    },
  )
}

function deletedRowCases(bench: TargetBench): void {
  test('rows that the source reports as deleted are deleted with their children', async () => {
    const { parent, lines, invoices } = family()
    const counts = await writing(bench, async (target) => {
      await load(target, invoices, {
        batches: [
          batch(parent, [
            ['1', 'a'],
            ['2', 'b'],
            ['3', 'c'],
          ]),
          batch(lines, [
            ['1', '1', 'x'],
            ['2', '1', 'y'],
          ]),
        ],
      })
      return load(target, invoices, {
        batches: [batch(parent, [['3', 'changed']]), { ...batch(parent, [['2'], ['77']]), deletes: true }],
      })
    })
    expect(counts).toMatchObject({ inserted: 0, updated: 1 })
    expect(counts.deleted).toBeGreaterThan(0)
    expect(await bench.rows(parent)).toEqual([
      ['1', 'a'],
      ['3', 'changed'],
    ])
    expect(await bench.rows(lines)).toEqual([['1', '1', 'x']])
  })
}

/** Invoices with lines. */
function family(): { parent: Table; lines: Table; invoices: ReturnType<typeof stream> } {
  const parent = table(newName('invoice'), [id, name])
  const invoiceId: Column = { ...id, name: 'invoice id' }
  const lines: Table = {
    ...table(newName('invoice line'), [invoiceId, { ...id, name: 'line' }, name]),
    key: ['invoice id', 'line'],
    parentKey: ['invoice id'],
  }
  return { parent, lines, invoices: stream(parent, { children: [lines] }) }
}
