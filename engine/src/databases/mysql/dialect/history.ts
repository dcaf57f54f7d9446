/** Expressions and statements of history in MySQL and MariaDB. */
import type { LogicalType } from '../../../ports/model.ts'
import type { HistoryChange, KeyLists } from '../../sql-target/history/history-sql.ts'
import { keyColumnsOnly } from '../../sql-target/table-layout.ts'
import { columnList, columnsEqual, quote, quoteText, tableDefinition } from '../quoting.ts'
import type { MysqlDialect } from './session.ts'

/** Some servers demand a primary key of every table. */
const versionNumber = `${quote('tributary_version')} bigint NOT NULL AUTO_INCREMENT PRIMARY KEY`

export const historySql = {
  historyTypes: {
    moment: 'datetime(6)',
    runId: 'varchar(100)',
    hash: 'char(64) CHARACTER SET ascii COLLATE ascii_bin',
    number: 'bigint',
  },
  momentLiteral: (moment) => `TIMESTAMP'${moment.slice(0, 26).replace('T', ' ')}'`,
  textLiteral: quoteText,
  asMoment: (column, { kind }: LogicalType) =>
    kind === 'instant' || kind === 'localTimestamp' || kind === 'date' ? `CAST(${column} AS datetime(6))` : null,
  storedType: ({ type }) => type,
  async createHistoryTable({ run, tableOptions }, { name }, columns) {
    const defined = columns.map((column) => `${quote(column.name)} ${column.type} NULL`)
    await run(`CREATE TABLE ${quote(name)} (${[...defined, versionNumber].join(', ')}) ${await tableOptions()}`)
  },
  async addHistoryColumns({ run }, { name }, columns) {
    const actions = columns.map((column) => `ADD COLUMN ${quote(column.name)} ${column.type} NULL`)
    await run(`ALTER TABLE ${quote(name)} ${actions.join(', ')}`)
  },
  async widenHistoryColumns({ run }, { name }, columns) {
    const actions = columns.map((column) => `MODIFY COLUMN ${quote(column.name)} ${column.type} NULL`)
    await run(`ALTER TABLE ${quote(name)} ${actions.join(', ')}`)
  },
  async ensureHistoryIndex({ rows, run }, at, { name, columns, validTo }) {
    const found = await rows(
      'SELECT 1 FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ? AND index_name = ? LIMIT 1',
      [at.name, name],
    )
    if (found.length === 0)
      await run(`CREATE INDEX ${quote(name)} ON ${quote(at.name)} (${columnList([...columns, validTo])})`)
  },
  keysEqual: (_columns, left, right) => columnsEqual([left.alias, left.names], [right.alias, right.names]),
  valuesEqual: (_columns, left, right) =>
    left.names
      .map((name, at) => `${left.alias}.${quote(name)} <=> ${right.alias}.${quote(right.names[at] ?? name)}`)
      .join(' AND '),
  rowHash(columns, { alias, names }) {
    const texts = names.map((name, at) => {
      const value = `${alias}.${quote(name)}`
      const isBytes = columns[at]?.values.kind === 'bytes'
      return `IFNULL(HEX(${isBytes ? value : `CAST(${value} AS CHAR CHARACTER SET utf8mb4)`}), '-')`
    })
    return `CONVERT(SHA2(CONCAT_WS(',', ${texts.join(', ')}), 256) USING ascii) COLLATE ascii_bin`
  },
  async listKeys({ run, tableOptions }, names, keys) {
    const options = await tableOptions()
    for (const name of names) {
      await run(`CREATE TEMPORARY TABLE IF NOT EXISTS ${name} ${tableDefinition(keyColumnsOnly(keys.main))} ${options}`)
      await run(`DELETE FROM ${name}`)
      for (const select of selectKeys(keys)) await run(`INSERT IGNORE INTO ${name} ${select}`)
    }
  },
  deleteVersions: ({ history, join, where }: HistoryChange) =>
    `DELETE h FROM ${history} h${joined(join)} WHERE ${where}`,
  closeVersions: ({ history, join, where }, validTo, moment) =>
    `UPDATE ${history} h${joined(join)} SET h.${validTo} = ${moment} WHERE ${where}`,
} satisfies Partial<MysqlDialect>

function joined(join: HistoryChange['join']): string {
  return join === null ? '' : ` JOIN ${join.table} k ON ${join.on}`
}

function selectKeys({ main, lists }: KeyLists): readonly string[] {
  return lists.map(({ from, columns }) => `(${columnList(main.key)}) SELECT ${columnList(columns)} FROM ${from}`)
}
