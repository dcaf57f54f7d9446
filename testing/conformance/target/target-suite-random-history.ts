/** Random runs: as of the cut-off of each, history shows what the tables held after it. */
import { expect, test } from 'vitest'
import type { RowBatch, Table } from '@tributary/engine/ports/model'
import type { Stream } from '@tributary/engine/ports/source'
import type { OpenTarget } from '@tributary/engine/ports/target'
import { batch, column, type RowFields, stream, table, yielding } from '../../engine/sync/fixtures.ts'
import { loadInto, nextRun, rowsOf } from './history-bench.ts'
import { newName, newWriter, type TargetBench, writing } from './target-bench.ts'

const id = column('id', { kind: 'integer', bytes: 4 }, false)
const name = column('name', { kind: 'text', maxLength: 50 })
const amount = column('amount', { kind: 'decimal', precision: 20, scale: 4 })
const runs = 15

export function randomHistoryCases(bench: TargetBench): void {
  test.each([1, 2])(
    `[TRUST-7] as of the cut-off of each of ${runs} random runs, rows equal a copy that was kept after it (seed %i)`,
    async (seed) => {
      const family = new RandomFamily(seed)
      const copies: TablesAt[] = []
      let writer = newWriter()
      for (let at = 0; at < runs; at++) {
        await writing(
          bench,
          async (target) => {
            await target.prepare(family.stream, 'on')
            await family.changeAtRandom(target)
            copies.push({ at: await target.cutOff(), tables: await family.tablesAt(target) })
          },
          writer,
        )
        writer = nextRun(writer)
      }
      await writing(
        bench,
        async (target) => {
          await target.prepare(family.stream)
          for (const { at, tables } of copies) expect(await family.tablesAt(target, at)).toEqual(tables)
        },
        writer,
      )
    },
    60_000,
  )
}

interface TablesAt {
  readonly at: string
  readonly tables: readonly (readonly RowFields[])[]
}

interface RandomParent {
  readonly fields: RowFields
  readonly lines: readonly RowFields[]
  readonly notes: readonly RowFields[]
}

/** A table with two tables of children, one of them without a key, whose rows change at random. The same seed makes the same changes. */
class RandomFamily {
  readonly stream: Stream
  readonly #tables: readonly [Table, Table, Table]
  readonly #parents = new Map<string, RandomParent>()
  #state: number

  constructor(seed: number) {
    this.#state = seed
    const main = table(newName('random'), [id, name, amount])
    const lines: Table = {
      name: newName('line'),
      columns: [id, { ...id, name: 'line' }, name],
      key: ['id', 'line'],
      parentKey: ['id'],
    }
    const notes: Table = { name: newName('note'), columns: [id, name], key: [], parentKey: ['id'] }
    this.#tables = [main, lines, notes]
    this.stream = stream(main, { children: [lines, notes] })
  }

  async tablesAt(target: OpenTarget, at?: string): Promise<TablesAt['tables']> {
    const tables: (readonly RowFields[])[] = []
    for (const each of this.#tables) tables.push(await rowsOf(target, each, at))
    return tables
  }

  /** A full refresh, a key comparison, or several merges of which the last reports deletions. */
  async changeAtRandom(target: OpenTarget): Promise<void> {
    const kind = this.#random(4)
    if (kind === 0) {
      this.#change(8)
      await loadInto(target, this.stream, this.#batches([...this.#parents.keys()]), 'replace')
    } else if (kind === 1) {
      this.#remove(3)
      await target.compareKeys(this.stream, yielding(this.#keys([...this.#parents.keys()])), { rows: 1_000, share: 1 })
    } else {
      await loadInto(target, this.stream, this.#batches(this.#change(6)))
      await loadInto(target, this.stream, this.#batches(this.#change(2)))
      await loadInto(target, this.stream, [{ ...this.#keys(this.#remove(2)), deletes: true }])
    }
  }

  /** Returns the ids of the parents that are new or changed. */
  #change(count: number): readonly string[] {
    const ids = Array.from({ length: count }, () => String(this.#random(20)))
    for (const each of ids)
      this.#parents.set(each, {
        fields: [each, this.#word(), this.#random(4) === 0 ? null : `${this.#random(3)}.5000`],
        lines: Array.from({ length: this.#random(3) }, (_, line) => [each, String(line), this.#word()]),
        notes: Array.from({ length: this.#random(4) }, () => [each, this.#word()]),
      })
    return [...new Set(ids)]
  }

  #remove(count: number): readonly string[] {
    const ids = [...new Set(Array.from({ length: count }, () => String(this.#random(20))))]
    return ids.filter((each) => this.#parents.delete(each))
  }

  #batches(ids: readonly string[]): readonly RowBatch[] {
    const [main, lines, notes] = this.#tables
    const parents = ids.flatMap((each) => this.#parents.get(each) ?? [])
    const fields = parents.map((parent) => parent.fields)
    return [
      batch(main, fields),
      batch(
        lines,
        parents.flatMap((parent) => parent.lines),
      ),
      batch(
        notes,
        parents.flatMap((parent) => parent.notes),
      ),
    ]
  }

  #keys(ids: readonly string[]): RowBatch {
    const rows = ids.map((each) => [each])
    return batch(this.#tables[0], rows)
  }

  #word(): string | null {
    return [null, 'a', 'a ', 'A', 'ä', ''][this.#random(6)] ?? null
  }

  #random(below: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#state / 4_294_967_296) * below)
  }
}
