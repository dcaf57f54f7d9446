/** How a target behaves when it is killed, fenced or stopped, or receives a row that it cannot store. */
import { expect, test } from 'vitest'
import { encodeRows } from '@tributary/engine/encoding/copy-text'
import { Fault } from '@tributary/engine/ports/faults'
import type { Stream } from '@tributary/engine/ports/source'
import { FencedError, type OpenTarget } from '@tributary/engine/ports/target'
import { batch, column, stream, table } from '../../engine/sync/fixtures.ts'
import { load, type LacksFeature, newName, newWriter, writing, type TargetBench } from './target-bench.ts'

const replace = { kind: 'replace', resume: false } as const
const id = column('id', { kind: 'integer', bytes: 4 }, false)
const name = column('name', { kind: 'text', maxLength: 5 })
const amount = column('amount', { kind: 'decimal', precision: 9, scale: 2 })

export function failureCases(bench: TargetBench, lacks: LacksFeature): void {
  stopCases(bench)
  fenceCases(bench)
  successorCases(bench)
  stateCases(bench)
  rejectCases(bench, lacks)
  rejectLimitCases(bench)
}

function stopCases(bench: TargetBench): void {
  test('a merge that ends without commit leaves rows and checkpoint unchanged', async () => {
    const main = table(newName('dropped'), [id, name])
    await writing(bench, async (target) => {
      await load(target, stream(main), { batches: [batch(main, [['1', 'one']])] })
      await using half = await target.load(stream(main), { kind: 'merge' })
      await half.write(
        batch(main, [
          ['1', 'half'],
          ['2', 'half'],
        ]),
      )
      await half.commit({ page: 1 })
      await half.write(batch(main, [['3', 'lost']]))
    })
    expect(await bench.rows(main)).toEqual([
      ['1', 'half'],
      ['2', 'half'],
    ])
  })

  test('an abort while rows are written takes effect within a second and leaves the previous rows', async () => {
    const main = table(newName('abort'), [id, name])
    const writer = newWriter()
    await writing(bench, (target) => load(target, stream(main), { batches: [batch(main, [['1', 'old']])] }), writer)
    const stop = new AbortController()
    const target = await bench.open(stop.signal)
    await target.begin({ ...writer, fence: 2 })
    const stopped = writeForEver(target, stream(main), stop)
    await expect(stopped).rejects.toBeInstanceOf(Error)
    const since = performance.now()
    await target[Symbol.asyncDispose]()
    expect(performance.now() - since).toBeLessThan(1_000)
    expect(await bench.rows(main)).toEqual([['1', 'old']])
  })
}

/** Replaces the table with endless rows and aborts in the middle of them. */
async function writeForEver(target: OpenTarget, endless: Stream, stop: AbortController): Promise<void> {
  await target.prepare(endless)
  await using open = await target.load(endless, replace)
  const fields = Array.from({ length: 2_000 }, (_, at) => [String(at), 'abc'])
  const bytes = encodeRows(fields)
  for (let round = 0; round < 10_000; round++) {
    if (round === 20) stop.abort(new Error('stopped by a person'))
    await open.write({ table: endless.table.name, bytes, rows: fields.length })
  }
  throw new Fault('bug', { code: 'test.never_stopped', notice: 'The write continued after the abort.' })
}

function fenceCases(bench: TargetBench): void {
  test('a writer that was declared dead can no longer commit', async () => {
    const main = table(newName('fence'), [id, name])
    const old = newWriter(1)
    await using sleeper = await bench.open()
    await sleeper.begin(old)
    await sleeper.prepare(stream(main))
    await using open = await sleeper.load(stream(main), { kind: 'merge' })
    await open.write(batch(main, [['1', 'old']]))
    await writing(bench, (target) => load(target, stream(main), { batches: [batch(main, [['1', 'new']])] }), {
      ...old,
      fence: 2,
    })
    await expect(open.finish({ at: 'late' })).rejects.toBeInstanceOf(Error)
    expect(await bench.rows(main)).toEqual([['1', 'new']])
    await using again = await bench.open()
    await expect(again.begin(old)).rejects.toBeInstanceOf(FencedError)
  })

  test('of two runs with the same fence only the first may write; the error of the second names the fence', async () => {
    const main = table(newName('same'), [id, name])
    const first = newWriter(7)
    const second = { ...first, runId: `${first.runId}-again` }
    await writing(bench, (target) => load(target, stream(main), { batches: [batch(main, [['1', 'one']])] }), first)
    await using target = await bench.open()
    await expect(target.begin(second)).rejects.toMatchObject({ name: 'FencedError', newest: 7 })
    await writing(bench, (again) => load(again, stream(main), { batches: [batch(main, [['2', 'two']])] }), first)
    expect(await bench.rows(main)).toEqual([
      ['1', 'one'],
      ['2', 'two'],
    ])
  })
}

function successorCases(bench: TargetBench): void {
  test('a writer that was declared dead cannot drop the shadow table that its successor has loaded', async () => {
    const main = table(newName('zombie'), [id, name])
    const old = newWriter(1)
    await using sleeper = await bench.open()
    await sleeper.begin(old)
    await sleeper.prepare(stream(main))
    const successor = { ...old, fence: 2 }
    await using awake = await bench.open()
    await awake.begin(successor)
    await awake.prepare(stream(main))
    await using half = await awake.load(stream(main), replace)
    await half.write(batch(main, [['1', 'one']]))
    await half.commit({ page: 1 })

    await expect(
      load(sleeper, stream(main), { mode: replace, batches: [batch(main, [['9', 'old']])] }),
    ).rejects.toBeInstanceOf(Error)

    await writing(
      bench,
      async (target) => {
        await target.prepare(stream(main))
        expect((await target.state(stream(main))).replacement).toEqual({ checkpoint: { page: 1 }, runId: old.runId })
        await load(target, stream(main), {
          mode: { kind: 'replace', resume: true },
          batches: [batch(main, [['2', 'two']])],
        })
      },
      { ...old, fence: 3 },
    )
    expect(await bench.rows(main)).toEqual([
      ['1', 'one'],
      ['2', 'two'],
    ])
  })
}

function stateCases(bench: TargetBench): void {
  test('the state names the run that has finished, and its checkpoint', async () => {
    const main = table(newName('state'), [id, name])
    const writer = newWriter(7)
    await writing(
      bench,
      async (target) => {
        await target.prepare(stream(main))
        expect(await target.state(stream(main))).toEqual({
          checkpoint: null,
          replacement: null,
          finishedRun: null,
          freshAt: null,
          fence: 7,
          rows: null,
          sweptAt: null,
        })
        await load(target, stream(main), {
          batches: [batch(main, [['1', 'one']], { page: 1, half: null, 'odd name': true })],
        })
        expect(await target.state(stream(main))).toMatchObject({
          checkpoint: { at: 'end' },
          finishedRun: writer.runId,
          fence: 7,
        })
      },
      writer,
    )
  })
}

function rejectCases(bench: TargetBench, lacks: LacksFeature): void {
  test.each(['merge', 'replace'] as const)(
    'rows that cannot be stored are rejected with column and reason, and the others are stored (%s)',
    async (kind) => {
      const main = table(newName('reject'), [id, name, amount])
      const rows = [
        ['1', 'fine', '1.50'],
        lacks('textLength') ? ['2', 'fine', 'two'] : ['2', 'much too long', '2.00'],
        ['3', 'fine', 'three'],
        ['4', 'fine', '12345678901.00'],
        ['5', null, null],
      ]
      await writing(bench, async (target) => {
        await target.prepare(stream(main))
        await using open = await target.load(stream(main), kind === 'merge' ? { kind } : replace)
        await open.write(batch(main, rows))
        await open.finish({ at: 'end' })
        expect(open.rejectedCount).toBe(3)
        expect(open.rejected.map((each) => [each.row['id'], each.column])).toEqual(
          expect.arrayContaining([
            ['2', lacks('textLength') ? 'amount' : 'name'],
            ['3', 'amount'],
            ['4', 'amount'],
          ]),
        )
        for (const each of open.rejected) expect(each.reason).not.toBe('')
      })
      expect(await bench.rows(main)).toEqual([
        ['1', 'fine', '1.50'],
        ['5', null, null],
      ])
    },
  )

  test('a value that looks like a database error rejects no other row', async () => {
    const main = table(newName('message'), [id, name, amount])
    const message = 'COPY t, line 1, column name: 1'
    await writing(bench, async (target) => {
      await target.prepare(stream(main))
      await using open = await target.load(stream(main), { kind: 'merge' })
      await open.write(
        batch(main, [
          ['1', 'fine', '1.50'],
          ['2', 'fine', message],
          ['3', 'fine', '3.00'],
        ]),
      )
      await open.finish({ at: 'end' })
      expect(open.rejected.map((each) => [each.row['id'], each.column])).toEqual([['2', 'amount']])
    })
    expect(await bench.rows(main)).toEqual([
      ['1', 'fine', '1.50'],
      ['3', 'fine', '3.00'],
    ])
  })
}

function rejectLimitCases(bench: TargetBench): void {
  test('too many rejected rows stop the stream and leave the checkpoint unchanged', async () => {
    const main = table(newName('poison'), [id, name, amount])
    const bad = Array.from({ length: 1_500 }, (_, at) => [String(at), 'ok', at % 2 === 0 ? 'bad' : '1'])
    const rows = [...bad, ...bad.map(([key, ...rest]) => [String(Number(key) + 1_500), ...rest])]
    await writing(bench, async (target) => {
      await load(target, stream(main), { batches: [batch(main, [['9999', 'old', '1']])], checkpoint: { at: 'before' } })
      await expect(load(target, stream(main), { batches: [batch(main, rows)] })).rejects.toMatchObject({ kind: 'data' })
      expect((await target.state(stream(main))).checkpoint).toEqual({ at: 'before' })
    })
    expect(await bench.rows(main)).toHaveLength(1)
  })
}
