/** Publications in PostgreSQL: the tables and views of the schema ‘published’. */
import { publicationTablesIn } from '../../sql-target/publication/publication-sql.ts'
import { fitName } from '../../sql-target/names.ts'
import { transaction } from '../../sql-target/state-store.ts'
import { facts } from '../target-facts.ts'
import { createSchema } from './check.ts'
import { lockViews } from './dependent-views.ts'
import type { PostgresDialect } from './session.ts'
import { lockNames } from './system-tables.ts'
import { qualified as qualifiedName } from './tables.ts'
import { replaceViewInTransaction } from './views.ts'

const schema = 'published'
const qualified = (name: string): string => qualifiedName({ schema, name })
const tables = publicationTablesIn(qualified)

const statements = { begin: 'BEGIN', commit: 'COMMIT' }

export const publicationSql = {
  publication: { schema, tables, qualified, viewName: (name) => fitName(name, facts.identifierMax), stableRead: '' },
  hasPublicationTables: async ({ rows }) =>
    (await rows('SELECT 1 WHERE to_regclass(?) IS NOT NULL', [tables.views])).length > 0,
  async createPublicationTables(session) {
    await transaction(statements, session, async () => {
      await lockNames(session, schema)
      await createSchema(session, schema)
      await session.run(`
        CREATE TABLE IF NOT EXISTS ${tables.current} (publication_set text PRIMARY KEY, number bigint NOT NULL);
        CREATE TABLE IF NOT EXISTS ${tables.runs} (
          publication_set text, number bigint, connector text, run_id text NOT NULL, cut_off text NOT NULL, moment timestamptz NOT NULL,
          PRIMARY KEY (publication_set, number, connector));
        CREATE TABLE IF NOT EXISTS ${tables.offers} (
          connector text, run_id text, publication_set text NOT NULL, cut_off text NOT NULL, views text NOT NULL, PRIMARY KEY (connector, run_id));
        CREATE TABLE IF NOT EXISTS ${tables.views} (
          name text PRIMARY KEY, publication_set text NOT NULL, connector text NOT NULL, relation text NOT NULL, definition text NOT NULL,
          UNIQUE (publication_set, connector, relation))`)
    })
  },
  whilePublishing: (session, work) =>
    transaction(statements, session, async () => {
      await session.run('SET LOCAL synchronous_commit TO DEFAULT')
      await lockNames(session, schema)
      return await work()
    }),
  publishedRelationExists: async ({ rows }, name) =>
    (await rows('SELECT 1 WHERE to_regclass(?) IS NOT NULL', [qualified(name)])).length > 0,
  replacePublishedView: ({ client }, name, select) => replaceViewInTransaction(client, { schema, name }, select),
  async dropPublishedViews({ client, run }, names) {
    await run(`SET LOCAL lock_timeout = '5s'`)
    await lockViews(client)
    await run(`DROP VIEW IF EXISTS ${names.map(qualified).join(', ')}`)
  },
} satisfies Partial<PostgresDialect>
