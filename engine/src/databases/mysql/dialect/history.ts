/** Expressions and statements of history in MySQL and MariaDB. */
import type { LogicalType } from '../../../ports/model.ts'
import type { HistoryChange, KeyLists } from '../../sql-target/history/history-sql.ts'
import { errorNumber } from '../faults.ts'
import { keyColumnsOnly } from '../../sql-target/table-layout.ts'
import { columnList, columnsEqual, quote, quoteText, tableDefinition } from '../quoting.ts'
import type { MysqlColumn, MysqlDialect } from './session.ts'
import { alterSyntax } from './tables.ts'

/** Access to the database or the routine is denied, or its binary log does not permit it. */
const notAllowed = new Set([1044, 1142, 1227, 1370, 1419])

/** Runs with the rights of its caller. Moments are in UTC. */
const asOfProcedure = `CREATE PROCEDURE as_of(IN table_name_wanted varchar(64), IN moment_wanted datetime(6))
  READS SQL DATA SQL SECURITY INVOKER COMMENT 'Tributary: rows of a table as they were'
BEGIN
  DECLARE began varchar(30) DEFAULT NULL;
  DECLARE ended varchar(30) DEFAULT NULL;
  DECLARE message varchar(250);
  SELECT since, ended_at, as_of_select INTO began, ended, @tributary_as_of
    FROM tributary_history WHERE table_name = table_name_wanted AND since IS NOT NULL;
  SET @tributary_moment = moment_wanted;
  IF began IS NULL THEN
    SET message = LEFT(CONCAT('No history is kept of ', table_name_wanted, '.'), 128);
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = message;
  END IF;
  IF DATE_FORMAT(moment_wanted, '%Y-%m-%dT%H:%i:%s.%fZ') < began THEN
    SET message = LEFT(CONCAT('The history of ', table_name_wanted, ' begins at ', began, '. Nothing is known of before.'), 128);
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = message;
  END IF;
  IF ended IS NOT NULL AND DATE_FORMAT(moment_wanted, '%Y-%m-%dT%H:%i:%s.%fZ') >= ended THEN
    SET message = LEFT(CONCAT('The history of ', table_name_wanted, ' ended at ', ended, '.'), 128);
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = message;
  END IF;
  PREPARE tributary_as_of FROM @tributary_as_of;
  EXECUTE tributary_as_of USING @tributary_moment, @tributary_moment;
  DEALLOCATE PREPARE tributary_as_of;
END`

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
  asText: (column) => `CAST(${column} AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_bin`,
  tableSizeSql: (name) =>
    `SELECT table_rows, data_length + index_length FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ${quoteText(name)}`,
  asMoment: (column, { kind }: LogicalType) =>
    kind === 'instant' || kind === 'localTimestamp' || kind === 'date' ? `CAST(${column} AS datetime(6))` : null,
  storedType: ({ type }) => type,
  async createHistoryTable({ run, tableOptions }, { name }, columns) {
    const defined = columns.map((column) => `${quote(column.name)} ${column.type} NULL`)
    await run(`CREATE TABLE ${quote(name)} (${[...defined, versionNumber].join(', ')}) ${await tableOptions()}`)
  },
  async addHistoryColumns({ run }, { name }, columns) {
    const actions = columns.map((column) => alterSyntax.add(column.name, column.type))
    await run(`ALTER TABLE ${quote(name)} ${actions.join(', ')}`)
  },
  async widenHistoryColumns({ run }, { name }, columns) {
    const actions = columns.map(({ type, from }) => alterSyntax.widen(from as MysqlColumn, type))
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
  valuesEqual: (_columns, left, right) => left.map((value, at) => `${value} <=> ${right[at]}`).join(' AND '),
  rowHash(columns, values) {
    const texts = values.map((value, at) => {
      const isBytes = columns[at]?.values.kind === 'bytes'
      return `IFNULL(HEX(${isBytes ? value : `CAST(${value} AS CHAR CHARACTER SET utf8mb4)`}), '-')`
    })
    return `CONVERT(SHA2(CONCAT_WS(',', ${texts.join(', ')}), 256) USING ascii) COLLATE ascii_bin`
  },
  planVersions: async () => {},
  analyseHistory: async () => {},
  async listKeys({ run, tableOptions }, names, keys) {
    const options = await tableOptions()
    for (const name of names) {
      await run(`CREATE TEMPORARY TABLE IF NOT EXISTS ${name} ${tableDefinition(keyColumnsOnly(keys.main))} ${options}`)
      await run(`DELETE FROM ${name}`)
      for (const select of selectKeys(keys)) await run(`INSERT IGNORE INTO ${name} ${select}`)
    }
  },
  async defineAsOf({ rows, run }) {
    const found = await rows(
      `SELECT 1 FROM information_schema.routines WHERE routine_schema = DATABASE() AND routine_name = 'as_of'`,
    )
    if (found.length > 0) return
    await run(asOfProcedure).catch((error: unknown) => {
      // The SELECT can be copied where the user may not create procedures.
      if (!notAllowed.has(errorNumber(error) ?? 0)) throw error
    })
  },
  // The procedure reads when a history has ended.
  dropAsOf: async () => {},
  supersedeVersions: null,
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
