/** Publications in SQL Server: the tables and views of the schema ‘published’. */
import { Fault } from '../../../ports/faults.ts'
import { fitName } from '../../sql-target/names.ts'
import { publicationTablesIn } from '../../sql-target/publication/publication-sql.ts'
import { transaction } from '../../sql-target/state-store.ts'
import { literal } from '../quoting.ts'
import { facts } from '../target-facts.ts'
import { createSchema } from './check.ts'
import { objectExists, type SqlServerDialect } from './session.ts'
import { qualified as qualifiedName } from './tables.ts'

const schema = 'published'
const qualified = (name: string): string => qualifiedName({ schema, name })
const tables = publicationTablesIn(qualified)
const keyText = (length: number): string => `nvarchar(${length}) COLLATE Latin1_General_100_BIN2 NOT NULL`

const statements = { begin: 'BEGIN TRANSACTION', commit: 'COMMIT TRANSACTION' }

export const publicationSql = {
  publication: {
    schema,
    tables,
    qualified,
    viewName: (name) => fitName(name, facts.identifierMax),
    // READ COMMITTED may read the row of a later publication in the second of two views of one statement.
    stableRead: ' WITH (REPEATABLEREAD)',
  },
  hasPublicationTables: (session) => objectExists(session, tables.views),
  async createPublicationTables(session) {
    await createSchema(session, schema)
    const [set, connector] = [`publication_set ${keyText(100)}`, `connector ${keyText(100)}`]
    const definitions = [
      [tables.current, `${set} PRIMARY KEY, number bigint NOT NULL`],
      [
        tables.runs,
        `${set}, number bigint NOT NULL, ${connector}, run_id nvarchar(100) NOT NULL, cut_off nvarchar(30) NOT NULL, moment datetime2(6) NOT NULL,
        PRIMARY KEY (publication_set, number, connector)`,
      ],
      [
        tables.offers,
        `${connector}, run_id ${keyText(100)}, ${set}, cut_off nvarchar(30) NOT NULL, views nvarchar(max) NOT NULL, PRIMARY KEY (connector, run_id)`,
      ],
      [
        tables.views,
        `name ${keyText(128)} PRIMARY KEY, ${set}, ${connector}, relation ${keyText(128)}, definition nvarchar(64) NOT NULL,
        UNIQUE (publication_set, connector, relation)`,
      ],
    ] as const
    for (const [name, columns] of definitions)
      await session.run(`IF OBJECT_ID(${literal(name)}) IS NULL CREATE TABLE ${name} (${columns})`)
  },
  whilePublishing: (session, work) =>
    transaction(statements, session, async () => {
      const [row] = await session.rows(
        `DECLARE @held int; EXEC @held = sp_getapplock @Resource = N'tributary:published', @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 60000; SELECT @held`,
      )
      if (Number(row?.[0] ?? 0) < 0)
        throw new Fault('passing', {
          code: 'sqlserver.publication_held',
          notice: 'Another connector is publishing for long. It will be tried again.',
        })
      return await work()
    }),
  publishedRelationExists: (session, name) => objectExists(session, qualified(name)),
  async replacePublishedView(session, name, select) {
    const verb = (await objectExists(session, qualified(name))) ? 'ALTER' : 'CREATE'
    await session.run(`${verb} VIEW ${qualified(name)} AS ${select}`)
  },
  async dropPublishedViews(session, names) {
    for (const name of names)
      if (await objectExists(session, qualified(name))) await session.run(`DROP VIEW ${qualified(name)}`)
  },
} satisfies Partial<SqlServerDialect>
