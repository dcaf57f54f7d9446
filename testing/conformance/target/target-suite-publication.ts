/** Publications: the connectors of a set move forward together, by one committed row. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { PublishableView, PublishedRun } from '@tributary/engine/ports/publication'
import type { Stream } from '@tributary/engine/ports/source'
import type { OpenTarget, Writer } from '@tributary/engine/ports/target'
import { batch, column, stream, table } from '../../engine/sync/fixtures.ts'
import { isFull } from '../../programmes/extent.ts'
import { loadInto, nextRun } from './history-bench.ts'
import { newName, newWriter, type TargetBench, writing } from './target-bench.ts'

const id = column('id', { kind: 'integer', bytes: 4 }, false)
const name = column('name', { kind: 'text', maxLength: 50 })

export function publicationCases(bench: TargetBench): void {
  switchCases(bench)
  viewCases(bench)
  offerCases(bench)
  killCases(bench)
}

function switchCases(bench: TargetBench): void {
  test('[TRUST-12] published views show the chosen run of each connector, and move forward together', async () => {
    const [one, other] = [new Connector('one'), new Connector('other')]
    const set = randomUUID()
    const first = [await one.run(bench, set, '1'), await other.run(bench, set, '1')]
    expect(await read(bench, (target) => target.readPublication(set))).toBeNull()
    await publish(bench, { set, number: 1, runs: first })
    expect(await publishedValues(bench, set, [one, other])).toEqual([['1', '1']])

    const second = [await one.run(bench, set, '2'), await other.run(bench, set, '2')]
    expect(await publishedValues(bench, set, [one, other])).toEqual([['1', '1']])
    await publish(bench, { set, number: 2, runs: second })
    expect(await publishedValues(bench, set, [one, other])).toEqual([['2', '2']])
    const state = await read(bench, (target) => target.readPublication(set))
    expect(state?.number).toBe(2)
    expect(state?.runs.map(({ runId }) => runId).toSorted()).toEqual(second.map(({ runId }) => runId).toSorted())
  })

  test('[TRUST-12] a publication is not made twice, not made of a run that was not offered, and never moves back', async () => {
    const one = new Connector('once')
    const set = randomUUID()
    const first = await one.run(bench, set, '1')
    const second = await one.run(bench, set, '2')
    await publish(bench, { set, number: 2, runs: [second] })
    await publish(bench, { set, number: 2, runs: [second] })
    const make = (number: number, runs: readonly PublishedRun[]) =>
      read(bench, (target) => target.publish({ set, number, runs }))
    expect(await make(1, [first])).toEqual({ outcome: 'superseded' })
    const unknown = { connectorId: first.connectorId, runId: randomUUID() }
    expect(await make(3, [unknown])).toEqual({ outcome: 'notOffered', connectorIds: [first.connectorId] })
    expect(await publishedValues(bench, set, [one])).toEqual([['2']])
  })
}

function viewCases(bench: TargetBench): void {
  test('[TRUST-12] a new column and a new table appear with the publication that has them, and a connector that leaves takes its views away', async () => {
    const [one, other] = [new Connector('grows'), new Connector('leaves')]
    const set = randomUUID()
    const first = [await one.run(bench, set, '1'), await other.run(bench, set, '1')]
    await publish(bench, { set, number: 1, runs: first })
    one.grow()
    const second = await one.run(bench, set, '2')
    expect(await publishedNames(bench, set)).toHaveLength(2)
    await expect(columnOf(bench, set, one.relation, 'added')).rejects.toThrow(/./u)

    await publish(bench, { set, number: 2, runs: [second] })
    expect(await columnOf(bench, set, one.relation, 'added')).toEqual([['x']])
    expect((await publishedNames(bench, set)).map(({ connectorId }) => connectorId)).toEqual([
      one.writer.connectorId,
      one.writer.connectorId,
    ])
    await publish(bench, { set, number: 3, runs: [] })
    expect(await publishedNames(bench, set)).toEqual([])
  })

  test('[TRUST-12] a published view of a view reads the published rows, and tables of the same name in two sets get two names', async () => {
    const one = new Connector('viewed')
    const [set, otherSet] = [randomUUID(), randomUUID()]
    const [inner, outer] = [newName('inner'), newName('outer')]
    const views: readonly PublishableView[] = [
      { name: inner, select: (names) => `SELECT id, name FROM ${names.table(one.stream.table.name)} t` },
      { name: outer, select: (names) => `SELECT name FROM ${names.view(inner)}` },
    ]
    const first = await one.run(bench, set, '1', views)
    await publish(bench, { set, number: 1, runs: [first] })
    await one.run(bench, set, '2', views)
    const state = await read(bench, (target) => target.readPublication(set))
    const published = state?.views.find(({ relation }) => relation.includes(outer))
    expect(await columnOf(bench, set, published?.relation ?? '', 'name')).toEqual([['1']])

    const again = await one.run(bench, otherSet, '3')
    await publish(bench, { set: otherSet, number: 1, runs: [again] })
    expect(await publishedValues(bench, otherSet, [one])).toEqual([['3']])
    expect(await columnOf(bench, set, one.relation, 'name')).toEqual([['1']])
    await publish(bench, { set, number: 2, runs: [] })
    expect(await publishedNames(bench, set)).toEqual([])
  })
}

function offerCases(bench: TargetBench): void {
  test('[TRUST-12] a run without history cannot be offered, and a fenced writer offers nothing', async () => {
    const of = stream(table(newName('no history'), [id]))
    const writer = newWriter()
    await writing(
      bench,
      async (target) => {
        await target.prepare(of)
        await expect(target.offerPublication(randomUUID(), { streams: new Set([of.name]), views: [] })).rejects.toThrow(
          'No history is kept',
        )
        await target.prepare(of, 'on')
        await writing(bench, async () => {}, nextRun(writer))
        await expect(target.offerPublication(randomUUID(), { streams: new Set([of.name]), views: [] })).rejects.toThrow(
          /./u,
        )
      },
      writer,
    )
  })
}

const interruptions = isFull ? 40 : 10

function killCases(bench: TargetBench): void {
  test(`[TRUST-12] ${interruptions} interrupted publications: a reader sees one publication or the next, never a mixture, and a repetition completes it`, async () => {
    const connectors = [new Connector('a'), new Connector('b')] as const
    const set = randomUUID()
    const stop = new AbortController()
    const offer = async (value: string) => [
      await connectors[0].run(bench, set, value),
      await connectors[1].run(bench, set, value),
    ]
    await publish(bench, { set, number: 1, runs: await offer('1') })
    const seen = new Set<string>()
    const reading = (async () => {
      while (!stop.signal.aborted)
        for (const [one, other] of await publishedValues(bench, set, connectors)) {
          expect(one).toBe(other)
          seen.add(String(one))
        }
    })()
    try {
      for (let number = 2; number <= interruptions + 1; number++) {
        const runs = await offer(String(number))
        await interrupt(bench, (number * 7) % 23, (target) => target.publish({ set, number, runs }))
        await publish(bench, { set, number, runs })
        expect(await publishedValues(bench, set, connectors)).toEqual([[String(number), String(number)]])
      }
    } finally {
      stop.abort()
      await reading
    }
    expect(seen.size).toBeGreaterThan(1)
  }, 120_000)
}

/** Cuts the connection some milliseconds after the work has begun. */
async function interrupt(bench: TargetBench, afterMs: number, work: (target: OpenTarget) => Promise<unknown>) {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), afterMs)
  try {
    await using target = await bench.open(controller.signal)
    await work(target)
  } catch {
    // Whatever the cut made of it: the repetition shows the result.
  } finally {
    clearTimeout(timer)
  }
}

/** A connector with one row, whose value each run changes. */
class Connector {
  stream: Stream
  relation = ''
  writer: Writer = newWriter()
  #added: Stream | null = null

  constructor(word: string) {
    this.stream = stream(table(newName(word), [id, name]))
  }

  /** From now on with another column, and another table. */
  grow(): void {
    const { table: main } = this.stream
    this.stream = stream({ ...main, columns: [...main.columns, { ...name, name: 'added' }] })
    this.#added = stream(table(newName('added'), [id]))
  }

  async run(
    bench: TargetBench,
    set: string,
    value: string,
    views: readonly PublishableView[] = [],
  ): Promise<PublishedRun> {
    const { writer, stream: of } = this
    this.writer = nextRun(writer)
    return await writing(
      bench,
      async (target) => {
        if (this.#added !== null) await target.prepare(this.#added, 'on')
        await target.prepare(of, 'on')
        await loadInto(target, of, [batch(of.table, [this.#added === null ? ['1', value] : ['1', value, 'x']])])
        this.relation = target.tableNameOf(of)
        const streams = new Set([of.name, ...(this.#added === null ? [] : [this.#added.name])])
        await target.offerPublication(set, { streams, views })
        return { connectorId: writer.connectorId, runId: writer.runId }
      },
      writer,
    )
  }
}

async function read<T>(bench: TargetBench, work: (target: OpenTarget) => Promise<T>): Promise<T> {
  await using target = await bench.open()
  return await work(target)
}

async function publish(
  bench: TargetBench,
  request: { readonly set: string; readonly number: number; readonly runs: readonly PublishedRun[] },
): Promise<void> {
  expect(await read(bench, (target) => target.publish(request))).toEqual({ outcome: 'published' })
}

async function publishedNames(bench: TargetBench, set: string) {
  return (await read(bench, (target) => target.readPublication(set)))?.views ?? []
}

/** The values of all connectors, read by one statement. */
async function publishedValues(bench: TargetBench, set: string, connectors: readonly Connector[]) {
  return await read(bench, async (target) => {
    const views = (await target.readPublication(set))?.views ?? []
    const tables = connectors.map(({ relation, writer }) =>
      views.find((each) => each.relation === relation && each.connectorId === writer.connectorId),
    )
    const named = (quote: (word: string) => string) =>
      tables.map((each, at) => `${qualified(quote, each)} v${at}`).join(' CROSS JOIN ')
    const columns = tables.map((_, at) => `v${at}.name AS n${at}`).join(', ')
    return await target.select(({ quote }) => `SELECT ${columns} FROM ${named(quote)}`)
  })
}

async function columnOf(bench: TargetBench, set: string, relation: string, of: string) {
  return await read(bench, async (target) => {
    const view = (await target.readPublication(set))?.views.find((each) => each.relation === relation)
    return await target.select(({ quote }) => `SELECT ${quote(of)} FROM ${qualified(quote, view)}`)
  })
}

function qualified(
  quote: (word: string) => string,
  view: { readonly schema: string; readonly name: string } | undefined,
): string {
  if (view === undefined) throw new Error('There is no such published view.')
  return view.schema === '' ? quote(view.name) : `${quote(view.schema)}.${quote(view.name)}`
}
