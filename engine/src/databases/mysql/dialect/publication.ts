/** Publications in MySQL and MariaDB: tables and views of the target's database. */
import { fitName } from '../../sql-target/names.ts'
import { publicationTablesIn } from '../../sql-target/publication/publication-sql.ts'
import { quote } from '../quoting.ts'
import { facts } from '../target-facts.ts'
import { exactCollation } from './collation.ts'
import type { MysqlDialect } from './session.ts'
import { whileNaming } from './system-tables.ts'

const tables = publicationTablesIn((name) => name)

function tableDefinitions(collation: string): readonly string[] {
  const keyText = (length: number): string => `VARCHAR(${length}) CHARACTER SET utf8mb4 COLLATE ${collation} NOT NULL`
  const set = `publication_set ${keyText(100)}`
  const connector = `connector ${keyText(100)}`
  return [
    `${tables.current} (${set} PRIMARY KEY, number BIGINT NOT NULL)`,
    `${tables.runs} (${set}, number BIGINT NOT NULL, ${connector}, run_id VARCHAR(100) NOT NULL, cut_off VARCHAR(30) NOT NULL, moment DATETIME(6) NOT NULL,
      PRIMARY KEY (publication_set, number, connector))`,
    `${tables.offers} (${connector}, run_id ${keyText(100)}, ${set}, cut_off VARCHAR(30) NOT NULL, views LONGTEXT NOT NULL, PRIMARY KEY (connector, run_id))`,
    `${tables.views} (name ${keyText(64)} PRIMARY KEY, ${set}, ${connector}, relation ${keyText(64)}, definition VARCHAR(64) NOT NULL,
      UNIQUE KEY (publication_set, connector, relation))`,
  ]
}

export const publicationSql = {
  publication: {
    schema: '',
    tables,
    qualified: quote,
    viewName: (name) => fitName(`published_${name}`, facts.identifierMax),
    stableRead: '',
  },
  hasPublicationTables: async ({ rows }) =>
    (
      await rows('SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?', [
        tables.views,
      ])
    ).length > 0,
  async createPublicationTables({ connection }) {
    for (const definition of tableDefinitions(await exactCollation(connection)))
      await connection.run(
        `CREATE TABLE IF NOT EXISTS ${definition} ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 ROW_FORMAT = DYNAMIC`,
      )
  },
  whilePublishing: (session, work) =>
    whileNaming(session, async () => {
      // What was read before the lock was acquired may be outdated.
      await session.run('COMMIT')
      const result = await work()
      await session.run('COMMIT')
      return result
    }),
  publishedRelationExists: async ({ rows }, name) =>
    (await rows('SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?', [name]))
      .length > 0,
  async replacePublishedView({ run }, name, select) {
    await run(`CREATE OR REPLACE VIEW ${quote(name)} AS ${select}`)
  },
  async dropPublishedViews({ run }, names) {
    await run(`DROP VIEW IF EXISTS ${names.map(quote).join(', ')}`)
  },
} satisfies Partial<MysqlDialect>
