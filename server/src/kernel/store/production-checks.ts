/** Checks of the database that production runs on. */
import type { Client, ClientConfig } from 'pg'
import { listDatabaseProblems } from './database-requirements.ts'
import { withClient } from './with-client.ts'

/** Returns a sentence per problem. @param forbidden email addresses that must not exist: demonstration accounts with a public password */
export async function findStoreProblems(
  connection: ClientConfig,
  forbidden: readonly string[],
): Promise<readonly string[]> {
  try {
    return await withClient({ ...connection, connectionTimeoutMillis: 5_000 }, async (client) => {
      const unfit = (await listDatabaseProblems(client)).map(
        ({ problem: found, remedy }) => `DATABASE_URL: ${found} ${remedy}`,
      )
      return [...(await problemsOfRole(client)), ...unfit, ...(await problemsOfPeople(client, forbidden))]
    })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return [
      `DATABASE_URL: the database cannot be reached (${code ?? 'no answer'}). Check the host, the port, the user and the password.`,
    ]
  }
}

async function problemsOfRole(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ is_super: boolean; bypasses: boolean }>(
    'SELECT rolsuper AS is_super, rolbypassrls AS bypasses FROM pg_roles WHERE rolname = current_user',
  )
  if (rows[0]?.is_super !== true && rows[0]?.bypasses !== true) return []
  return [
    'DATABASE_URL: its user is a superuser or has BYPASSRLS, so row level security would not keep organisations apart. Use a role made with: CREATE ROLE tributary LOGIN NOSUPERUSER NOBYPASSRLS.',
  ]
}

async function problemsOfPeople(client: Client, forbidden: readonly string[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ is_there: boolean }>(
    `SELECT to_regclass('portal_user') IS NOT NULL AS is_there`,
  )
  if (rows[0]?.is_there !== true) return []
  const found = await client.query<{ email_address: string }>(
    'SELECT email_address FROM portal_user WHERE lower(email_address) = ANY($1) ORDER BY 1',
    [forbidden],
  )
  if (found.rowCount === 0) return []
  const names = found.rows.map((row) => row.email_address).join(', ')
  return [
    `The database holds trial accounts, whose password everybody knows: ${names}. Use a database of its own for production.`,
  ]
}
