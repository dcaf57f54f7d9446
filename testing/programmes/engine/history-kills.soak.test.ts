import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createRandom } from '@tributary/sims/random'
import type { EndKind } from '../../engine/databases/database-ends.ts'
import { type DatabasePair, makeDatabasePair } from '../../engine/databases/database-pair.ts'
import type { SyncChildJob } from '../../engine/sync/sync-process.ts'
import { isFull, printFigure, seed } from '../extent.ts'

const child = fileURLToPath(new URL('../../engine/sync/sync-process.ts', import.meta.url))
const runs = isFull ? 100 : 4
/** How long a process runs at most before it is killed. */
const lifeMaxMs = 700
const rows = 60_000

test.each(['postgres', 'mysql'] as const)(
  `[TRUST-7] ${runs} runs into %s, every second one killed at random: as of each completed run, history equals a copy that was kept after it (seed ${seed})`,
  async (kind) => {
    const programme = await HistoryProgramme.begin(kind)
    try {
      for (let at = 1; at <= runs; at++) await programme.changeAndRun(at)
      await programme.completeRun()
      const { copies, kills } = programme
      expect(copies.length).toBeGreaterThan(1)
      for (const copy of copies) expect(await programme.countDifferences(copy)).toBe(0)
      printFigure(
        `history of ${runs} runs into ${kind}: ${copies.length} copies compared, ${kills} kills, 0 differences`,
      )
    } finally {
      await programme[Symbol.asyncDispose]()
    }
  },
  isFull ? 3_600_000 : 300_000,
)

interface Copy {
  readonly table: string
  readonly of: string
  readonly at: string
}

/** Tables with a key and without one. */
const tables = ['ledger', 'line']

class HistoryProgramme implements AsyncDisposable {
  readonly copies: Copy[] = []
  kills = 0
  readonly #pair: DatabasePair
  readonly #kind: EndKind
  readonly #random = createRandom(seed)
  readonly #connectorId = randomUUID()
  #fence = 0

  private constructor(pair: DatabasePair, kind: EndKind) {
    this.#pair = pair
    this.#kind = kind
  }

  static async begin(kind: EndKind): Promise<HistoryProgramme> {
    const stamp = kind === 'postgres' ? '' : ', changed timestamp(6) NOT NULL DEFAULT now(6) ON UPDATE now(6)'
    const series =
      kind === 'postgres'
        ? (count: number) => `generate_series(1, ${count}) AS s (n)`
        : (count: number) => `(SELECT seq AS n FROM seq_1_to_${count}) AS s`
    const pair = await makeDatabasePair(kind, kind, [
      `CREATE TABLE ledger (id bigint PRIMARY KEY, amount numeric(18,4), note varchar(200)${stamp})`,
      'CREATE TABLE line (text varchar(100))',
      `INSERT INTO ledger (id, amount, note) SELECT n, n * 1.0001, 'note' FROM ${series(rows)}`,
      `INSERT INTO line SELECT CONCAT('line ', n) FROM ${series(1_000)}`,
    ])
    return new HistoryProgramme(pair, kind)
  }

  /** Changes the source, then lets a process run to its end, or kills it. */
  async changeAndRun(at: number): Promise<void> {
    const { source } = this.#pair
    await source.run(`UPDATE ledger SET amount = amount + 1 WHERE id % 100 = ${at % 100}`)
    await source.run(`DELETE FROM ledger WHERE id % 1000 = ${at % 1_000}`)
    await source.run(`INSERT INTO ledger (id, amount, note) VALUES (${100_000 + at}, ${at}, NULL)`)
    await source.run(`INSERT INTO line VALUES ('more'), ('line ${at}')`)
    if (at % 2 === 0) return await this.#runAndKill()
    await this.completeRun()
  }

  async completeRun(): Promise<void> {
    const runId = randomUUID()
    const writer = { connectorId: this.#connectorId, runId, fence: ++this.#fence }
    const { status, fault } = await this.#pair.run({ writer, keepsHistory: () => true })
    if (status !== 'completed') throw new Error(`A run ${status}.`, { cause: fault })
    const at = await this.#cutOffOf(runId)
    for (const of of tables) {
      const table = `copy_${this.copies.length}`
      await this.#pair.target.run(`CREATE TABLE ${this.#name(table)} AS SELECT * FROM ${this.#name(of)}`)
      this.copies.push({ table, of, at })
    }
  }

  /** Rows that only the copy, or only history at that moment, has. */
  async countDifferences({ table, of, at }: Copy): Promise<number> {
    const { target } = this.#pair
    const copied = await target.read(table)
    const columns = copied.columns.map((name) => `h.${target.quote(name)}`)
    const moment = this.#kind === 'postgres' ? `'${at}'::timestamptz` : `'${at.slice(0, 26).replace('T', ' ')}'`
    await target.run(
      `CREATE TABLE ${this.#name(`${table}_then`)} AS SELECT ${columns.join(', ')} FROM ${this.#name(`${of}__history`)} h
       WHERE h.valid_from <= ${moment} AND (h.valid_to IS NULL OR h.valid_to > ${moment})`,
    )
    const then = await target.rows(`${table}_then`)
    const kept = await target.rows(table)
    if (kept.length === 0) throw new Error('The copy is empty.')
    return then.filter((row, index) => row !== kept[index]).length + Math.abs(then.length - kept.length)
  }

  /** Gives a process some time, then no chance to end its work. */
  async #runAndKill(): Promise<void> {
    const { source, target } = this.#pair
    const job: SyncChildJob = {
      from: this.#kind,
      to: this.#kind,
      properties: { ...source.properties, ...target.properties },
      connectorId: this.#connectorId,
      fence: ++this.#fence,
      syncMode: this.#random.next() < 0.4 ? 'full' : 'incremental',
      keepsHistory: true,
    }
    const started = spawn(process.execPath, [child, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(started, 'exit')
    await once(started.stdout, 'data')
    await Promise.race([wait(this.#random.next() * lifeMaxMs), ended])
    if (started.exitCode === null) this.kills += 1
    started.kill('SIGKILL')
    await ended
  }

  async #cutOffOf(runId: string): Promise<string> {
    const { columns, rows: found } = await this.#pair.target.read('tributary_cut_off')
    const row = found.find((each) => each[columns.indexOf('run_id')] === runId)
    return row?.[columns.indexOf('cut_off')] ?? ''
  }

  #name(table: string): string {
    const { quote } = this.#pair.target
    return this.#kind === 'postgres' ? `${quote('Shop')}.${quote(table)}` : quote(table)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pair[Symbol.asyncDispose]()
  }
}
