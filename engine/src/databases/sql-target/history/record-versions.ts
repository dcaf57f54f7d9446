/**
 * Brings history in line with the rows that a load has changed, in the same transaction. For the touched keys it compares current rows with
 * current versions: versions that differ or whose row is gone are closed, rows without a version get one. No former values are needed, and a
 * repetition changes nothing.
 */
import type { WriterSession } from '../dialect.ts'
import { mainKeyOf, type TargetColumn, type TargetTable } from '../table-layout.ts'
import { hasKey, type HistoryTable, nameInHistory, type StreamHistory } from './history-table.ts'

/** A table as a load has left it. */
export interface ChangedTable {
  /** Quoted name of the table, or of the shadow table that takes its place. */
  readonly into: string
  /** Quoted name of its staging table; null where rows went straight in. */
  readonly stage: string | null
}

/**
 * `touched`: rows of the staged keys and of the listed deleted keys, with their children. `deleted`: current versions whose row is gone.
 * `all`: every row.
 */
export type VersionExtent =
  | { readonly kind: 'touched'; readonly deletedKeys: string | null }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'all' }

interface RecordedVersions {
  readonly history: StreamHistory
  /** In the order of the stream's tables. */
  readonly changed: readonly ChangedTable[]
}

/** After so many, the statistics of the history are out of date. */
const manyVersions = 100_000

export async function recordVersions(
  context: WriterSession,
  recorded: RecordedVersions,
  extent: VersionExtent,
): Promise<void> {
  const [main] = recorded.history.tables
  if (main === undefined) return
  const touched =
    extent.kind === 'touched' && hasKey(main) ? await listTouched(context, recorded, extent.deletedKeys) : null
  await context.dialect.planVersions(context.session, touched === null ? 'all' : 'few')
  for (const [at, table] of recorded.history.tables.entries()) {
    const into = recorded.changed[at]?.into ?? context.dialect.qualified(table.of.name)
    const statements = new VersionStatements(context, { table, into, main: main.of })
    const mayLackRows = at > 0 || extent.kind !== 'touched' || extent.deletedKeys !== null
    const added = await statements.run({
      ...recorded.history,
      touched,
      isDeletion: extent.kind === 'deleted',
      mayLackRows,
    })
    if (added >= manyVersions) await context.dialect.analyseHistory(context.session, table.name)
  }
  recorded.history.hasOwnVersions = true
}

/** Lists the touched keys of the main table, twice: some databases read a temporary table only once in a statement. */
async function listTouched(
  { dialect, session }: WriterSession,
  { history, changed }: RecordedVersions,
  deletedKeys: string | null,
): Promise<TouchedLists | null> {
  const [main] = history.tables
  if (main === undefined) return null
  const touched = { of: dialect.temporary('touched'), rows: dialect.temporary('touched_rows') }
  const staged = history.tables.flatMap(({ of }, at) => {
    const stage = changed[at]?.stage ?? null
    return stage === null ? [] : [{ from: stage, columns: mainKeyOf(of) }]
  })
  const deleted = deletedKeys === null ? [] : [{ from: deletedKeys, columns: main.of.key }]
  await dialect.listKeys(session, [touched.of, touched.rows], { main: main.of, lists: [...staged, ...deleted] })
  return touched
}

interface TouchedLists {
  readonly of: string
  readonly rows: string
}

interface VersionCondition {
  readonly join: { readonly table: string; readonly on: string } | null
  readonly where: string
}

interface RecordedExtent extends Pick<StreamHistory, 'cutOff' | 'hasOwnVersions'> {
  readonly touched: TouchedLists | null
  /** Only rows were deleted. */
  readonly isDeletion: boolean
  /** False if there is a row for each touched key. */
  readonly mayLackRows: boolean
}

interface VersionTables {
  readonly table: HistoryTable
  readonly into: string
  readonly main: TargetTable
}

/** Statements on the history of one table: `h` is a version, `t` a row, `k` a touched key. */
class VersionStatements {
  readonly #context: WriterSession
  readonly #tables: VersionTables

  constructor(context: WriterSession, tables: VersionTables) {
    this.#context = context
    this.#tables = tables
  }

  /** Returns how many versions were added. */
  async run({ touched, cutOff, hasOwnVersions, isDeletion, mayLackRows }: RecordedExtent): Promise<number> {
    const { session } = this.#context
    const end = async (condition: VersionCondition): Promise<void> => {
      if (hasOwnVersions) await session.run(this.discardOwn(condition))
      await session.run(this.close(condition, cutOff))
    }
    const supersede = touched === null ? null : this.supersede(touched, cutOff)
    if (supersede === null) {
      await end(isDeletion ? this.whereKeyIsGone() : this.whereRowDiffers(touched))
      return isDeletion ? 0 : await session.run(this.insert(touched, cutOff))
    }
    if (mayLackRows) await end(this.whereRowIsGone(touched))
    return await session.run(supersede)
  }

  /** Versions whose row is gone or has other values. */
  whereRowDiffers(touched: TouchedLists | null): VersionCondition {
    const isSame = this.#hasSameValues()
    return this.#whereNoRow(touched, isSame === null ? [] : [isSame])
  }

  whereRowIsGone(touched: TouchedLists | null): VersionCondition {
    return this.#whereNoRow(touched, [])
  }

  #whereNoRow(touched: TouchedLists | null, conditions: readonly string[]): VersionCondition {
    const row = `SELECT 1 FROM ${this.#rows(touched?.rows ?? null)} WHERE ${[this.#isSameRow(), ...conditions].join(' AND ')}`
    return { join: this.#ofTouched(touched?.of ?? null), where: `${this.#isCurrent()} AND NOT EXISTS (${row})` }
  }

  /** Null where rows have nothing but their key. */
  #hasSameValues(): string | null {
    const { table } = this.#tables
    const { of, columns } = table
    const rest = of.columns.filter(({ isKey }) => !isKey)
    if (!hasKey(table) || rest.length === 0) return null
    const inHistory = of.columns.flatMap(({ isKey }, at) => (isKey ? [] : [`h.${this.#quote(columns[at] ?? '')}`]))
    const values = rest.map(({ name }) => this.#value(name))
    return this.#context.dialect.valuesEqual(rest, values, inHistory)
  }

  /** Null where the database has no such statement, or rows have no key. */
  supersede(touched: TouchedLists, cutOff: string): string | null {
    const { dialect } = this.#context
    const { table } = this.#tables
    if (dialect.supersedeVersions === null || !hasKey(table)) return null
    return dialect.supersedeVersions({
      history: this.#history,
      rows: `${this.#rows(null)} ${this.#joinTouched(touched.rows)}`,
      isCurrent: `${this.#isCurrent()} AND ${this.#isSameRow()}`,
      isSame: `(${this.#hasSameValues() ?? '1 = 1'})`,
      isOwn: this.#isOwn(),
      values: this.#versionValues(cutOff),
      validTo: this.#quote(table.names.validTo),
      moment: dialect.momentLiteral(cutOff),
    })
  }

  /** Versions whose row is gone; of a table without a key, those of a parent that has no rows in it any more. */
  whereKeyIsGone(): VersionCondition {
    const { dialect } = this.#context
    const { table, main } = this.#tables
    const key = hasKey(table) ? table.of.key : mainKeyOf(table.of)
    const columns = hasKey(table) ? keyColumns(table.of) : keyColumns(main)
    const inHistory = key.map((name) => nameInHistory(table, name))
    const equal = dialect.keysEqual(columns, { alias: 't', names: key }, { alias: 'h', names: inHistory })
    return {
      join: null,
      where: `${this.#isCurrent()} AND NOT EXISTS (SELECT 1 FROM ${this.#tables.into} t WHERE ${equal})`,
    }
  }

  /** A version that this run wrote itself was never valid: no interval is empty. */
  discardOwn({ join, where }: VersionCondition): string {
    const own = { history: this.#history, join, where: `${where} AND ${this.#isOwn()}` }
    return this.#context.dialect.deleteVersions(own)
  }

  #isOwn(): string {
    const { dialect, writer } = this.#context
    return `h.${this.#quote(this.#tables.table.names.runId)} = ${dialect.textLiteral(writer.runId)}`
  }

  close({ join, where }: VersionCondition, cutOff: string): string {
    const { dialect } = this.#context
    const validTo = this.#quote(this.#tables.table.names.validTo)
    return dialect.closeVersions({ history: this.#history, join, where }, validTo, dialect.momentLiteral(cutOff))
  }

  /** A version for each row that has no current one. */
  insert(touched: TouchedLists | null, cutOff: string): string {
    const { table } = this.#tables
    const values = this.#versionValues(cutOff)
    const from =
      hasKey(table) && touched !== null
        ? `${this.#rows(null)} ${this.#joinTouched(touched.rows)}`
        : this.#rows(touched?.rows ?? null)
    const current = `SELECT 1 FROM ${this.#history} h WHERE ${this.#isCurrent()} AND ${this.#isSameRow()}`
    return `INSERT INTO ${this.#history} (${[...values.keys()].join(', ')})
      SELECT ${[...values.values()].join(', ')} FROM ${from} WHERE NOT EXISTS (${current})`
  }

  /** By quoted column of the history. */
  #versionValues(cutOff: string): ReadonlyMap<string, string> {
    const { dialect, writer } = this.#context
    const { table } = this.#tables
    const { of, columns, names, changedAt } = table
    const changed = changedAt === null ? null : dialect.asMoment(`t.${this.#quote(changedAt.name)}`, changedAt.values)
    const values: readonly (readonly [string, string])[] = [
      ...of.columns.map(({ name }, at): [string, string] => [columns[at] ?? name, this.#value(name)]),
      [names.validFrom, dialect.momentLiteral(cutOff)],
      [names.runId, dialect.textLiteral(writer.runId)],
      ...(changed === null ? [] : [[names.sourceChangedAt, changed] as const]),
      ...(hasKey(table)
        ? []
        : [names.rowHash, names.rowNumber].map((name) => [name, `t.${this.#quote(name)}`] as const)),
    ]
    return new Map(values.map(([name, value]) => [this.#quote(name), value]))
  }

  /** A value as history holds it: an expression, because MariaDB writes a derived table of all rows to look one up. */
  #value(name: string): string {
    const column = `t.${this.#quote(name)}`
    return this.#tables.table.texts.has(name) ? this.#context.dialect.asText(column) : column
  }

  /** The rows with the alias `t`. Rows without a key are numbered, among those of the touched parents only. */
  #rows(touched: string | null): string {
    const { table, into } = this.#tables
    if (hasKey(table)) return `${into} t`
    const { names, of } = table
    const values = of.columns.map(({ name }) => this.#value(name))
    const hash = this.#context.dialect.rowHash(of.columns, values)
    const list = of.columns.map(({ name }) => `t.${this.#quote(name)}`).join(', ')
    return `(SELECT ${list}, ${hash} AS ${this.#quote(names.rowHash)}, ROW_NUMBER() OVER (PARTITION BY ${hash} ORDER BY ${hash}) AS ${this.#quote(names.rowNumber)}
      FROM ${into} t${touched === null ? '' : ` ${this.#joinTouched(touched)}`}) t`
  }

  #joinTouched(touched: string): string {
    const { dialect } = this.#context
    const { table, main } = this.#tables
    const equal = dialect.keysEqual(
      keyColumns(main),
      { alias: 'k', names: main.key },
      { alias: 't', names: mainKeyOf(table.of) },
    )
    return `JOIN ${touched} k ON ${equal}`
  }

  #ofTouched(touched: string | null): VersionCondition['join'] {
    if (touched === null) return null
    const { dialect } = this.#context
    const { table, main } = this.#tables
    const names = mainKeyOf(table.of).map((name) => nameInHistory(table, name))
    const on = dialect.keysEqual(keyColumns(main), { alias: 'k', names: main.key }, { alias: 'h', names })
    return { table: touched, on }
  }

  #isSameRow(): string {
    const { table } = this.#tables
    const { names, of } = table
    if (!hasKey(table))
      return [names.rowHash, names.rowNumber]
        .map((name) => `t.${this.#quote(name)} = h.${this.#quote(name)}`)
        .join(' AND ')
    const key = of.key.map((name) => nameInHistory(table, name))
    return this.#context.dialect.keysEqual(keyColumns(of), { alias: 't', names: of.key }, { alias: 'h', names: key })
  }

  #isCurrent(): string {
    return `h.${this.#quote(this.#tables.table.names.validTo)} IS NULL`
  }

  get #history(): string {
    return this.#context.dialect.qualified(this.#tables.table.name)
  }

  #quote(name: string): string {
    return this.#context.dialect.facts.quote(name)
  }
}

/** In the order of the key. */
function keyColumns({ key, columns }: TargetTable): readonly TargetColumn[] {
  return key.flatMap((name) => columns.filter((column) => column.name === name))
}
