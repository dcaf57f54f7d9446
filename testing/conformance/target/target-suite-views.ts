/** Views over copied tables, and selections from them. */
import { expect, test } from 'vitest'
import type { OpenTarget } from '@tributary/engine/ports/target'
import type { StatementNames } from '@tributary/engine/ports/view-names'
import { batch, column, stream, table } from '../../engine/sync/fixtures.ts'
import { load, newName, newWriter, writing, type TargetBench } from './target-bench.ts'

const id = column('id', { kind: 'integer', bytes: 4 }, false)
const day = column('day', { kind: 'date' })
const amount = column('amount', { kind: 'decimal', precision: 30, scale: 4 })
const note = column('note', { kind: 'text', maxLength: 50 })

export function selectCases(bench: TargetBench): void {
  test('a selection returns decimals with every digit, dates, texts and nulls as text', async () => {
    const main = table(newName('selected'), [id, day, amount, note])
    const rows = [
      ['1', '2026-03-31', '12345678901234567890.1234', 'it’s "5" \\ 🦀'],
      ['2', '1969-12-31', '-0.0100', ''],
      ['3', null, null, null],
    ]
    await writing(bench, async (target) => {
      await load(target, stream(main), { batches: [batch(main, rows)] })
      const month = (words: StatementNames) =>
        `SELECT id, day, amount, note, ${words.month('day')} AS month FROM ${words.table(main.name)} WHERE id < 3`
      expect((await target.select(month)).toSorted()).toEqual([
        [...(rows[0] ?? []), '2026-03-01'],
        [...(rows[1] ?? []), '1969-12-01'],
      ])
      expect(
        await target.select((words) => `SELECT day, amount, note FROM ${words.table(main.name)} WHERE id = 3`),
      ).toEqual([[null, null, null]])
      expect(await target.select((words) => `SELECT id FROM ${words.table(main.name)} WHERE id > 3`)).toEqual([])
    })
  })
}

export function ownedViewCases(bench: TargetBench): void {
  test('[SEE-7] a view belongs to its connector: it is replaced if its definition changes, and dropped on request', async () => {
    const main = table(newName('owned'), [id, amount])
    const name = newName('owned view')
    const view = (columns: string) => {
      const select = (words: StatementNames): string => `SELECT ${columns} FROM ${words.table(main.name)}`
      return { name, select, definition: select }
    }
    const answer = (target: OpenTarget) => target.select((words) => `SELECT * FROM ${words.view(name)}`)
    const writer = newWriter()
    await writing(
      bench,
      async (target) => {
        await load(target, stream(main), { batches: [batch(main, [['1', '2.5000']])] })
        expect(await target.listOwnedViews()).toEqual([])
        expect(await target.defineOwnedView(view('id'))).toBe('defined')
        expect(await target.defineOwnedView(view('id'))).toBe('unchanged')
        expect(await answer(target)).toEqual([['1']])
        expect(await target.defineOwnedView(view('id, amount'))).toBe('defined')
        expect(await answer(target)).toEqual([['1', '2.5000']])
        expect(await target.listOwnedViews()).toEqual([name])
      },
      writer,
    )
    await writing(bench, async (other) => {
      await load(other, stream(table(newName('other'), [id])), { batches: [] })
      expect(await other.defineOwnedView({ name, select: () => 'SELECT 1 AS id', definition: () => '1' })).toBe('taken')
      await other.dropOwnedView(name)
      expect(await other.listOwnedViews()).toEqual([])
    })
    await writing(
      bench,
      async (target) => {
        await target.prepare(stream(main))
        expect(await answer(target)).toEqual([['1', '2.5000']])
        await target.dropOwnedView(name)
        expect(await target.listOwnedViews()).toEqual([])
        await expect(answer(target)).rejects.toThrow(/./u)
        expect(await target.defineOwnedView(view('id'))).toBe('defined')
      },
      { ...writer, fence: 2 },
    )
  })

  test('[SEE-7] a table or view of somebody else is neither replaced nor dropped', async () => {
    const main = table(newName('kept'), [id])
    const name = newName('of people')
    const view = { name, select: () => 'SELECT 2 AS id', definition: () => '2' }
    await writing(bench, async (target) => {
      await load(target, stream(main), { batches: [batch(main, [['1']])] })
      await target.defineView(name, (words) => `SELECT id FROM ${words.table(main.name)}`)
      expect(await target.defineOwnedView(view)).toBe('taken')
      expect(await target.defineOwnedView({ ...view, name: main.name })).toBe('taken')
      await target.dropOwnedView(name)
      expect(await target.select((words) => `SELECT id FROM ${words.view(name)}`)).toEqual([['1']])
    })
  })
}

export function viewCases(bench: TargetBench): void {
  test('a view is recreated with other columns, even if another view depends on it', async () => {
    const main = table(newName('viewed'), [id, amount])
    const [inner, outer] = [newName('inner'), newName('outer')]
    await writing(bench, async (target) => {
      await load(target, stream(main), { batches: [batch(main, [['1', '2.5000']])] })
      const define = async (columns: string): Promise<unknown> => {
        await target.defineView(inner, ({ table: named }) => `SELECT ${columns} FROM ${named(main.name)}`)
        await target.defineView(outer, ({ view }) => `SELECT * FROM ${view(inner)}`)
        return await target.select(({ view }) => `SELECT * FROM ${view(outer)}`)
      }
      expect(await define('id, amount')).toEqual([['1', '2.5000']])
      expect(await define('amount, id + 1 AS next')).toEqual([['2.5000', '2']])
      expect(await define('id')).toEqual([['1']])
      expect(await define('id, amount')).toEqual([['1', '2.5000']])
    })
  })

  test('a view shows the rows of a full refresh', async () => {
    const main = table(newName('refreshed'), [id])
    const view = newName('refreshed view')
    await writing(bench, async (target) => {
      await load(target, stream(main), { batches: [batch(main, [['1']])] })
      await target.defineView(view, (words) => `SELECT id FROM ${words.table(main.name)}`)
      await load(target, stream(main), { mode: { kind: 'replace', resume: false }, batches: [batch(main, [['2']])] })
      expect(await target.select((words) => `SELECT id FROM ${words.view(view)}`)).toEqual([['2']])
    })
  })
}
