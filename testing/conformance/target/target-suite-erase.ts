/** Erasing a person in the history of a stream and of its children. */
import { expect, test } from 'vitest'
import type { PersonSearch } from '@tributary/engine/ports/history'
import type { OpenTarget } from '@tributary/engine/ports/target'
import { batch, column, stream, table } from '../../engine/sync/fixtures.ts'
import { loadInto, nextRun, rowsOf, run } from './history-bench.ts'
import { newName, newWriter, type TargetBench, writing } from './target-bench.ts'

const id = column('id', { kind: 'text', maxLength: 20 }, false)
const line = column('line', { kind: 'integer', bytes: 4 }, false)
const name = column('name', { kind: 'text', maxLength: 50 })
const amount = column('amount', { kind: 'decimal', precision: 20, scale: 4 })

/** Customers with addresses. The person had another name in an earlier version. */
async function personIn(bench: TargetBench) {
  const main = table(newName('person'), [id, name, amount], ['id'])
  const child = { ...table(newName('address'), [id, line, name], ['id', 'line']), parentKey: ['id'] }
  const of = { ...stream(main), children: [child] }
  const writer = newWriter()
  const load = (value: string) => (target: OpenTarget) =>
    loadInto(target, of, [
      batch(main, [
        ['a', value, '10.0000'],
        ['A', 'Other', '1.0000'],
      ]),
      batch(child, [
        ['a', '1', `${value} Street`],
        ['A', '1', 'Other Street'],
      ]),
    ])
  const first = await run(bench, { writer, of, work: load('Ann') })
  const second = await run(bench, { writer: nextRun(writer), of, work: load('Ann Lee') })
  const search: PersonSearch = {
    connectorId: writer.connectorId,
    column: 'name',
    value: 'Ann Lee',
    tables: [
      { table: main.name, key: ['id'], clear: ['name'] },
      { table: child.name, key: ['id'], clear: ['name'] },
    ],
  }
  return { main, child, of, writer, first, second, search }
}

export function erasureCases(bench: TargetBench): void {
  test('[TRUST-6] a person is erased in all versions and in children, whatever name a version had; amounts, keys and other people stay', async () => {
    const { main, child, of, writer, first, second, search } = await personIn(bench)
    await writing(
      bench,
      async (target) => {
        const counted = await target.countPersonVersions(search, [first, second, '2001-01-01T00:00:00.000000Z'])
        expect(counted).toMatchObject([
          { table: main.name, name: `${main.name}__history`, versions: 2, at: [1, 1, 0] },
          { table: child.name, versions: 2, at: [1, 1, 0] },
        ])
        await target.erasePerson([search], [])
        // A repetition after a crash finds nothing and changes nothing.
        await target.erasePerson([search], [])
        const every = { ...search, tables: search.tables.map((each) => ({ ...each, clear: [] })) }
        expect((await target.countPersonVersions(every, [])).map(({ versions }) => versions)).toEqual([0, 0])
        await target.prepare(of)
        for (const moment of [first, second]) {
          expect(await rowsOf(target, main, moment)).toEqual([
            ['A', 'Other', '1.0000'],
            ['a', null, '10.0000'],
          ])
          expect(await rowsOf(target, child, moment)).toEqual([
            ['A', '1', 'Other Street'],
            ['a', '1', null],
          ])
        }
        expect(await rowsOf(target, main)).toContainEqual(['a', 'Ann Lee', '10.0000'])
      },
      { ...nextRun(writer), fence: 3 },
    )
  })
}

export function refusedErasureCases(bench: TargetBench): void {
  test('[TRUST-6] keys, unknown columns and tables without history are refused, and nothing is erased', async () => {
    const { main, of, writer, second, search } = await personIn(bench)
    const clearing = (table: string, clear: string): PersonSearch => ({
      ...search,
      tables: [{ table, key: ['id'], clear: [clear] }],
    })
    await writing(
      bench,
      async (target) => {
        await expect(target.erasePerson([clearing(main.name, 'id')], [])).rejects.toThrow('identifies the rows')
        await expect(target.erasePerson([clearing(main.name, 'phone')], [])).rejects.toThrow('has no column ‘phone’')
        await expect(target.erasePerson([clearing('nothing', 'name')], [])).rejects.toThrow('No history is kept')
        await target.prepare(of)
        expect(await rowsOf(target, main, second)).toContainEqual(['a', 'Ann Lee', '10.0000'])
      },
      { ...nextRun(writer), fence: 3 },
    )
  })

  test('[TRUST-9] nothing is erased if a view with amounts would show other rows', async () => {
    const { main, of, writer, second, search } = await personIn(bench)
    const view = newName('balance')
    await writing(
      bench,
      async (target) => {
        await target.prepare(of)
        await target.defineView(view, (names) => {
          const [what, sum] = [names.quote('name'), `SUM(t.${names.quote('amount')})`]
          return `SELECT t.${what}, ${sum} AS amount FROM ${names.asOf({ at: second }).table(main.name)} t GROUP BY t.${what}`
        })
        await expect(target.erasePerson([search], [view])).rejects.toThrow('would show other figures')
        expect(await rowsOf(target, main, second)).toContainEqual(['a', 'Ann Lee', '10.0000'])
      },
      { ...nextRun(writer), fence: 3 },
    )
  })
}
