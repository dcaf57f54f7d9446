/** Tables for reports in the target: runs and freshness; and the preview of schema changes. */
import { expect, test } from 'vitest'
import { zeroRowCounts } from '@tributary/engine/ports/run-report'
import type { RunReport } from '@tributary/engine/ports/target'
import { batch, column, stream, table, yielding } from '../../engine/sync/fixtures.ts'
import { load, newName, newWriter, writing, type TargetBench, type LacksFeature } from './target-bench.ts'

const id = column('id', { kind: 'integer', bytes: 4 }, false)
const name = column('name', { kind: 'text', maxLength: 50 })
const replace = (resume: boolean) => ({ kind: 'replace', resume }) as const

export function reportCases(bench: TargetBench, lacks: LacksFeature): void {
  freshnessCases(bench)
  staleCases(bench)
  noteCases(bench)
  lateNoteCases(bench)
  if (!lacks('alterColumn')) foreseeCases(bench, lacks)
  grownCases(bench)
}

function freshnessCases(bench: TargetBench): void {
  test('the freshness of a table is the start of its load, as soon as the last transaction of the load commits', async () => {
    const main = table(newName('fresh'), [id, name])
    const writer = newWriter()
    const fresh = async () =>
      (await bench.report('freshness', writer.connectorId)).find((row) => row['table_name'] === main.name)
    await writing(
      bench,
      async (target) => {
        await target.prepare(stream(main))
        const before = Date.now()
        await using open = await target.load(stream(main), { kind: 'merge' })
        const began = Date.now()
        await open.write(batch(main, [['1', 'one']]))
        await open.commit({ page: 1 })
        expect(await fresh()).toBeUndefined()
        await open.write(batch(main, [['2', 'two']]))
        await open.finish({ page: 2 })
        const row = await fresh()
        expect(row).toMatchObject({ stream: main.name, run_id: writer.runId, rows_moved: '2', compared_at: null })
        expect(moment(row?.['fresh_at'])).toBeGreaterThanOrEqual(before)
        expect(moment(row?.['fresh_at'])).toBeLessThanOrEqual(began)
        expect(Date.parse((await target.state(stream(main))).freshAt ?? '')).toBe(moment(row?.['fresh_at']))

        await target.compareKeys(stream(main), yielding(batch(main, [['2']])), { rows: 10, share: 0.3 })
        const swept = await fresh()
        expect(swept).toMatchObject({ rows_moved: '3', fresh_at: row?.['fresh_at'] })
        expect(moment(swept?.['compared_at'])).toBeGreaterThanOrEqual(began)
      },
      writer,
    )
  })

  test('a resumed refresh is only as fresh as its first start', async () => {
    const main = table(newName('cut'), [id, name])
    const writer = newWriter()
    await writing(
      bench,
      async (target) => {
        await target.prepare(stream(main))
        await using open = await target.load(stream(main), replace(false))
        await open.write(batch(main, [['1', 'one']]))
        await open.commit({ page: 1 })
      },
      writer,
    )
    const cutAt = Date.now()
    await writing(
      bench,
      async (target) => {
        await target.prepare(stream(main))
        expect((await target.state(stream(main))).replacement).toMatchObject({ checkpoint: { page: 1 } })
        await load(target, stream(main), { mode: replace(true), batches: [batch(main, [['2', 'two']])] })
        expect(Date.parse((await target.state(stream(main))).freshAt ?? '')).toBeLessThanOrEqual(cutAt)
      },
      { ...writer, fence: 2 },
    )
  })
}

function staleCases(bench: TargetBench): void {
  test('a table that is created again is not fresh until it is loaded', async () => {
    const main = table(newName('created again'), [id])
    const writer = newWriter()
    await writing(bench, (target) => load(target, stream(main), { batches: [batch(main, [['1']])] }), writer)
    expect(await bench.report('freshness', writer.connectorId)).toHaveLength(1)
    await bench.drop(main)
    await writing(bench, (target) => target.prepare(stream(main)), { ...writer, fence: 2 })
    expect(await bench.report('freshness', writer.connectorId)).toEqual([])
  })
}

const startedAt = new Date('2026-11-20T08:00:00Z')
const running: RunReport = { status: 'running', startedAt, endedAt: null, notice: null, rows: zeroRowCounts }

function noteCases(bench: TargetBench): void {
  test('a run reports its status; its attempts add up, and a run that a later run finds running is marked as interrupted', async () => {
    const writer = newWriter()
    const rows = { read: 10, written: 8, updated: 3, deleted: 1, rejected: 2 }
    const failed: RunReport = {
      ...running,
      status: 'failed',
      endedAt: new Date('2026-11-20T08:05:00Z'),
      notice: 'The daily limit.',
      rows,
    }
    await writing(
      bench,
      async (target) => {
        await target.reportRun(running)
        await target.reportRun({ ...running, rows })
        await target.reportRun(failed)
      },
      writer,
    )
    await using again = await bench.open()
    expect(await again.begin({ ...writer, fence: 2 })).toEqual({ hasCompleted: false })
    await again.reportRun({ ...running, startedAt: new Date('2026-11-20T09:00:00Z'), rows })
    const runs = () => bench.report('run', writer.connectorId)
    expect(await runs()).toMatchObject([
      {
        status: 'running',
        ended_at: null,
        rows_read: '20',
        rows_written: '16',
        rows_updated: '6',
        rows_deleted: '2',
        rows_rejected: '4',
      },
    ])
    expect(moment((await runs())[0]?.['started_at'])).toBe(startedAt.getTime())
    const next = { ...newWriter(3), connectorId: writer.connectorId }
    await writing(bench, (target) => target.reportRun({ ...running, status: 'completed', endedAt: startedAt }), next)
    const after = await runs()
    expect(after.map(({ run_id, status }) => [run_id, status]).toSorted()).toEqual(
      [
        [writer.runId, 'failed'],
        [next.runId, 'completed'],
      ].toSorted(),
    )
    await using last = await bench.open()
    expect(await last.begin({ ...next, fence: 4 })).toEqual({ hasCompleted: true })
  })
}

function lateNoteCases(bench: TargetBench): void {
  test('runs are kept for 90 days, the last that completed for longer', async () => {
    const { connectorId } = newWriter()
    const days = [0, 1, 95, 96] as const
    for (const [at, day] of days.entries()) {
      const moment = new Date(startedAt.getTime() + day * 86_400_000)
      const status = day === 0 || day === 96 ? 'completed' : 'failed'
      const note: RunReport = { ...running, status, startedAt: moment, endedAt: moment }
      await writing(bench, (target) => target.reportRun(note), { connectorId, runId: `day ${day}`, fence: at + 1 })
      if (day === 95)
        expect((await bench.report('run', connectorId)).map((row) => row['run_id'])).toEqual(['day 0', 'day 95'])
    }
    expect((await bench.report('run', connectorId)).map((row) => row['run_id'])).toEqual(['day 95', 'day 96'])
  })

  test('a writer that was declared dead reports nothing', async () => {
    const writer = newWriter()
    await using dead = await bench.open()
    await dead.begin(writer)
    await dead.reportRun(running)
    await writing(bench, (target) => target.reportRun({ ...running, notice: 'the successor' }), { ...writer, fence: 2 })
    await expect(dead.reportRun({ ...running, notice: 'the dead' })).rejects.toBeInstanceOf(Error)
    expect(await bench.report('run', writer.connectorId)).toMatchObject([{ notice: 'the successor' }])
  })

  test('a cancelled run can still report its end', async () => {
    const stop = new AbortController()
    const writer = newWriter()
    await using target = await bench.open(stop.signal)
    await target.begin(writer)
    await target.reportRun(running)
    stop.abort(new Error('stopped by a person'))
    await target.reportRun({ ...running, status: 'cancelled', endedAt: startedAt })
    expect(await bench.report('run', writer.connectorId)).toMatchObject([{ status: 'cancelled' }])
  })
}

function foreseeCases(bench: TargetBench, lacks: LacksFeature): void {
  test('the effects of a schema change are previewed without applying it, also in the source’s names', async () => {
    const main = table(newName('foreseen'), [id, name])
    const added = column('Added "later" 🦀', { kind: 'integer', bytes: 8 })
    const grown = table(main.name, [id, column('name', { kind: 'text', maxLength: 80 }), added])
    const writer = newWriter()
    await writing(
      bench,
      async (target) => {
        const whole = [null, 'id', 'name'].map((each) => ({
          before: null,
          sourceName: { table: main.name, column: each },
        }))
        expect(await target.previewChanges(stream(main))).toMatchObject(whole)
        expect(await target.previewChanges(stream(main))).toMatchObject(whole)
        await load(target, stream(main), { batches: [batch(main, [['1', 'one']])] })
        expect(await target.previewChanges(stream(main))).toEqual([])
        const foreseen = await target.previewChanges(stream(grown))
        expect(foreseen.map(({ sourceName }) => sourceName.column)).toEqual(
          lacks('textLength') ? [added.name] : ['name', added.name],
        )
        expect(await target.previewChanges(stream(grown))).toEqual(foreseen)
        expect(await target.prepare(stream(grown))).toMatchObject(
          foreseen.map(({ table: of, column: name, before, after }) => ({ table: of, column: name, before, after })),
        )
        expect(await target.previewChanges(stream(grown))).toEqual([])
      },
      writer,
    )
  })
}

function grownCases(bench: TargetBench): void {
  test('a table with rows that gets a column is read from its beginning, and keeps its rows until then', async () => {
    const main = table(newName('grown'), [id])
    const grown = table(main.name, [id, name])
    await writing(bench, async (target) => {
      await load(target, stream(main), { batches: [batch(main, [['1']])] })
      await target.prepare(stream(grown))
      expect((await target.state(stream(grown))).checkpoint).toBeNull()
    })
    expect(await bench.rows(grown)).toEqual([['1', null]])
  })
}

/** Parses `2026-11-20 08:00:00.123`, with or without `+00`. */
function moment(text: string | null | undefined): number {
  return Date.parse(`${(text ?? '').replace(' ', 'T').replace(/\+00$/, '')}Z`)
}
