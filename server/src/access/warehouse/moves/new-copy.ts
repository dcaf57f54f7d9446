/** The copy of a warehouse on its new server: created, completed, compared, and dropped if the move ends before the switch. */
import { Fault } from '@tributary/engine/ports/faults'
import { type Client, escapeIdentifier as q, escapeLiteral } from 'pg'
import type { WarehouseServer } from '../../../connections/databases/warehouse-server.ts'
import type { Store } from '../../../kernel/store/store.ts'
import { reconcile } from '../../logins/apply-access.ts'
import type { WarehouseRow } from '../queries.ts'
import { asAdmin, ensureDatabase } from '../warehouse-database.ts'
import { withMissingRights } from '../missing-rights.ts'
import { copySequences, type CopyPair, digestRows, isSameRows, isSameStructure } from './copy-tables.ts'
import { type DependantStructure, readStructure } from './read-structure.ts'
import { listUnsupported } from './unsupported-objects.ts'

export interface MoveServers {
  readonly from: WarehouseServer
  readonly to: WarehouseServer
}

/** Refuses what would be lost. Throws a `settings` Fault. */
export async function requireMovable(from: Client, names: WarehouseRow): Promise<void> {
  const unsupported = await listUnsupported(from, names)
  if (unsupported.length === 0) return
  throw refused(
    `The warehouse has what Tributary has not created and cannot move: ${unsupported.join(', ')}. Drop or revoke it, then start the move again. Create it on the new server afterwards if you still need it.`,
  )
}

/** Refuses a server that cannot hold a copy. Throws a `settings` Fault. */
export async function requireServer({ from, to }: MoveServers): Promise<void> {
  const [old, next] = await Promise.all([asAdmin(from, undefined, identify), asAdmin(to, undefined, identify)])
  if (old.system === next.system) throw refused('Both entries are the same PostgreSQL server.')
  if (next.major < old.major)
    throw refused(`The new server has PostgreSQL ${next.major}, which is older than ${old.major} of the old one.`)
}

export function refused(notice: string): Fault {
  return new Fault('settings', { code: 'warehouse.move_refused', notice })
}

interface ServerIdentity {
  readonly system: string
  readonly major: number
}

/** Creates the database and its writer, with the collation of the old one. No reader may sign in yet. */
export async function prepareCopy(
  { from, to }: MoveServers,
  names: WarehouseRow,
  writerPassword: string,
): Promise<void> {
  const locale = await asAdmin(from, names.databaseName, readLocale)
  await withMissingRights(to, names, () => ensureDatabase(to, names, writerPassword, locale))
  await asAdmin(to, undefined, (admin) => admin.query(`ALTER ROLE ${q(names.readerName)} NOLOGIN`))
}

async function identify(admin: Client): Promise<ServerIdentity> {
  const { rows } = await admin.query<ServerIdentity>(
    `SELECT system_identifier::text AS system, current_setting('server_version_num')::int / 10000 AS major FROM pg_control_system()`,
  )
  return rows[0] ?? { system: '', major: 0 }
}

/** The options of CREATE DATABASE. A warehouse sorts as before after the move. */
async function readLocale(client: Client): Promise<string> {
  const { rows } = await client.query<{ provider: string; locale: string | null; collate: string; ctype: string }>(
    `SELECT datlocprovider AS provider, coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale') AS locale,
       datcollate AS collate, datctype AS ctype FROM pg_database d WHERE datname = current_database()`,
  )
  const { provider = 'c', locale = null, collate = 'C', ctype = 'C' } = rows[0] ?? {}
  const common = `LC_COLLATE ${escapeLiteral(collate)} LC_CTYPE ${escapeLiteral(ctype)}`
  if (provider === 'i') return `LOCALE_PROVIDER icu ICU_LOCALE ${escapeLiteral(locale ?? 'und')} ${common}`
  if (provider === 'b') return `LOCALE_PROVIDER builtin BUILTIN_LOCALE ${escapeLiteral(locale ?? 'C')} ${common}`
  return `LOCALE_PROVIDER libc ${common}`
}

export async function createSchemas({ from, to, names }: CopyPair): Promise<void> {
  const { schemas } = await readStructure(from, names)
  for (const statement of schemas) await to.query(statement)
}

/** Foreign keys, views, functions, sequences, logins and rights. The tables must be there, and nothing may write. */
export async function completeCopy(
  pair: CopyPair,
  { store, to }: { readonly store: Store; readonly to: WarehouseServer },
  names: WarehouseRow,
): Promise<void> {
  const [wanted, existing] = [await readStructure(pair.from, names), await readStructure(pair.to, names)]
  await pair.to.query('BEGIN')
  for (const { drop } of existing.dependants) await pair.to.query(drop)
  await createInOrder(pair.to, wanted.dependants)
  await pair.to.query('COMMIT')
  await copySequences(pair)
  await asAdmin(to, names.databaseName, (client) => reconcile(store, names, client))
}

/** A view may refer to others and to functions: those that fail wait for the rest. */
async function createInOrder(to: Client, dependants: readonly DependantStructure[]): Promise<void> {
  let waiting = dependants
  while (waiting.length > 0) {
    const failed: DependantStructure[] = []
    let problem: unknown
    for (const one of waiting) {
      await to.query('SAVEPOINT dependant')
      try {
        await to.query(one.statement)
      } catch (error) {
        problem = error
        failed.push(one)
        await to.query('ROLLBACK TO dependant')
      }
      await to.query('RELEASE dependant')
    }
    if (failed.length === waiting.length) throw problem
    waiting = failed
  }
}

export interface VerifiedCopy {
  readonly tables: number
  readonly rows: number
  /** What differs, at most ten names. Empty: both are equal. */
  readonly differences: readonly string[]
}

/** Compares structure and rows of everything. Nothing may write. */
export async function verifyCopy({ from, to, names }: CopyPair): Promise<VerifiedCopy> {
  const [ours, theirs] = [await readStructure(from, names), await readStructure(to, names)]
  const differences: string[] = []
  const copies = new Map(theirs.tables.map((table) => [table.name, table]))
  let rows = 0
  for (const table of ours.tables) {
    const copy = copies.get(table.name)
    copies.delete(table.name)
    const [one, other] =
      copy === undefined
        ? [await digestRows(from, table.name), undefined]
        : await Promise.all([digestRows(from, table.name), digestRows(to, table.name)])
    rows += Number(one.rows)
    if (copy === undefined || other === undefined || !isSameStructure(table, copy) || !isSameRows(one, other))
      differences.push(table.name)
  }
  differences.push(...copies.keys(), ...differingDependants(ours.dependants, theirs.dependants))
  return { tables: ours.tables.length, rows, differences: differences.slice(0, 10) }
}

function differingDependants(
  ours: readonly DependantStructure[],
  theirs: readonly DependantStructure[],
): readonly string[] {
  const statements = new Map(theirs.map(({ name, statement }) => [name, statement]))
  const differing = ours.filter(({ name, statement }) => statements.get(name) !== statement)
  const known = new Set(ours.map(({ name }) => name))
  return [...differing, ...theirs.filter(({ name }) => !known.has(name))].map(({ name }) => name)
}

/** The login that all reports share, as it is at the old server. */
export async function openReader(
  { from, to }: MoveServers,
  { readerName, readerVerifier, readerDisabledAt }: WarehouseRow,
): Promise<void> {
  const verifier = readerVerifier ?? (await asAdmin(from, undefined, (admin) => readVerifier(admin, readerName)))
  await asAdmin(to, undefined, async (admin) => {
    if (verifier !== null) await admin.query(`ALTER ROLE ${q(readerName)} PASSWORD ${escapeLiteral(verifier)}`)
    await admin.query(`ALTER ROLE ${q(readerName)} ${readerDisabledAt === null ? 'LOGIN' : 'NOLOGIN'}`)
  })
}

/** Only a superuser sees it. Passwords from before the store kept verifiers are nowhere else. */
async function readVerifier(admin: Client, role: string): Promise<string | null> {
  const { rows } = await admin
    .query<{ verifier: string | null }>('SELECT rolpassword AS verifier FROM pg_authid WHERE rolname = $1', [role])
    .catch(() => ({ rows: [] }))
  return rows[0]?.verifier ?? null
}
