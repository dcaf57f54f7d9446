/**
 * Kills migrations at each statement that changes the schema: a few seeded statements as a slice, all with `npm run
 * soak`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '@tributary/sims/random'
import { Client, type ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { migrate, readMigrations } from '../../../server/src/kernel/migrations/migrate.ts'
import { readMigrationStatus } from '../../../server/src/kernel/migrations/migration-status.ts'
import { queryDatabase, readSchemaShape } from '../../server/app/database-dump.ts'
import { createEmptyDatabase } from '../../server/app/test-database.ts'
import { isFull, seed } from '../extent.ts'

const slice = 4

/** A copy, so that a migration that is added during hundreds of kills does not change what is compared. */
const folder = mkdtempSync(join(tmpdir(), 'tributary-migrations-'))
cpSync(join(import.meta.dirname, '../../../server/migrations'), folder, { recursive: true })
const migrations = readMigrations(folder)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let shape: readonly string[]
let statements: number
beforeAll(async () => {
  const whole = await createEmptyDatabase()
  await watch(whole, 0)
  await migrate(whole, migrations)
  statements = await stepsOf(whole)
  await unwatch(whole)
  shape = await readSchemaShape(whole)
})

const superuser = ({ database = '' }: ClientConfig): ClientConfig => ({ ...inject('postgres'), database })
/** An advisory lock that blocks a migration at the chosen statement. */
const gate = 42

/** Counts the schema changes, independent of transactions, and blocks the one with number `stopAt`. */
async function watch(connection: ClientConfig, stopAt: number): Promise<void> {
  await queryDatabase(
    superuser(connection),
    `CREATE SCHEMA watch; GRANT USAGE ON SCHEMA watch TO PUBLIC; CREATE SEQUENCE watch.step; GRANT ALL ON SEQUENCE watch.step TO PUBLIC;
     CREATE FUNCTION watch.wait() RETURNS event_trigger LANGUAGE plpgsql AS $$
       BEGIN IF nextval('watch.step') = ${stopAt} THEN PERFORM pg_advisory_lock(${gate}); END IF; END $$;
     CREATE EVENT TRIGGER wait_before ON ddl_command_start EXECUTE FUNCTION watch.wait()`,
  )
}

async function stepsOf(connection: ClientConfig): Promise<number> {
  const [row] = await queryDatabase<{ steps: number }>(
    superuser(connection),
    'SELECT last_value::int AS steps FROM watch.step',
  )
  return row?.steps ?? 0
}

async function unwatch(connection: ClientConfig): Promise<void> {
  await queryDatabase(superuser(connection), 'DROP EVENT TRIGGER wait_before; DROP SCHEMA watch CASCADE')
}

/** Sends SIGKILL to a migrating process when it reaches the statement. */
async function killAt(connection: ClientConfig, statement: number): Promise<void> {
  await watch(connection, statement)
  const holder = new Client(superuser(connection))
  await holder.connect()
  await holder.query('SELECT pg_advisory_lock($1)', [gate])
  const program = join(import.meta.dirname, '../../server/processes/migrate-process.ts')
  const child = spawn(process.execPath, [program, JSON.stringify(connection), folder], { stdio: 'inherit' })
  const ended = once(child, 'exit')
  const blocked = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`
  while ((await holder.query(blocked)).rowCount === 0) {
    if (child.exitCode !== null)
      throw new Error(`The migration ended with ${child.exitCode} before statement ${statement}.`)
    await sleep(10)
  }
  child.kill('SIGKILL')
  await ended
  // The database finishes the statement, but no client is left to commit it.
  await holder.query('SELECT pg_advisory_unlock($1)', [gate])
  await holder.end()
  await unwatch(connection)
}

function chosen(): readonly number[] {
  const all = Array.from({ length: statements }, (_, at) => at + 1)
  if (isFull) return all
  const random = createRandom(seed)
  return Array.from({ length: slice }, () => all[random.between(0, all.length - 1)] ?? 1)
}

test(
  `migrations that are killed at a statement and started again produce the same schema as uninterrupted ones (seed ${seed})`,
  async () => {
    const points = chosen()
    for (const statement of points) {
      const connection = await createEmptyDatabase()
      await killAt(connection, statement)
      await migrate(connection, migrations)
      expect([statement, await readSchemaShape(connection)]).toEqual([statement, shape])
      expect((await readMigrationStatus(connection, migrations)).every(({ state }) => state === 'done')).toBe(true)
    }
    // oxlint-disable-next-line no-console -- The figure of the programme.
    console.log(
      `migrations: killed at ${points.length} of ${statements} statements, seed ${seed}, different schemas: 0`,
    )
  },
  isFull ? 1_800_000 : 120_000,
)

test('of two concurrent starts one migrates and the other waits; a start with no pending migration does not wait', async () => {
  const connection = await createEmptyDatabase()
  await watch(connection, 5)
  const holder = new Client(superuser(connection))
  await holder.connect()
  await holder.query('SELECT pg_advisory_lock($1)', [gate])
  const [one, other] = [migrate(connection, migrations), migrate(connection, migrations)]
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`
  while ((await holder.query(waiting)).rowCount !== 2) await sleep(10)
  await holder.end()
  const ran = await Promise.all([one, other])
  expect(ran.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([0, migrations.length])
  await unwatch(connection)
  const busy = new Client(connection)
  await busy.connect()
  await busy.query('SELECT pg_advisory_lock(7461890)')
  expect(await migrate(connection, migrations)).toEqual([])
  await busy.end()
})

/** From this migration on, the previous release must keep working after the next one has migrated. */
const firstAdditive = '0010'
const contracting =
  /\bDROP\s+(?:TABLE|COLUMN|FUNCTION|TYPE|SCHEMA)\b|\bRENAME\b|\bALTER\s+COLUMN\s+\w+\s+(?:SET\s+DATA\s+)?TYPE\b|\bSET\s+NOT\s+NULL\b|\bTRUNCATE\b/iu
/** The first line of a migration that removes what no release in use needs any more. */
const declaresContraction = /^-- Contracts: /u

const removesSchema = (text: string): boolean =>
  contracting.test(text.replaceAll(/--[^\n]*/gu, '')) && !declaresContraction.test(text)

test('a migration removes nothing that the previous release needs, unless its first line declares it', () => {
  const late = migrations.filter(({ name }) => name >= firstAdditive)
  expect(late.filter(({ text }) => removesSchema(text)).map(({ name }) => name)).toEqual([])
  for (const text of [
    'ALTER TABLE run DROP COLUMN worker',
    'ALTER TABLE run RENAME TO runs',
    'alter table run alter column worker set not null',
  ])
    expect([text, removesSchema(text), removesSchema(`-- Contracts: since 1.2.\n${text}`)]).toEqual([text, true, false])
  expect(removesSchema('CREATE TABLE more (id uuid); -- DROP TABLE')).toBe(false)
})
