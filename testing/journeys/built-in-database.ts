/** The PostgreSQL that the trial starts, as the owner of its socket. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

/** Runs a statement, or several that are separated by semicolons. Default: in the database of the store. */
export async function runInBuiltIn(statement: string, database = 'tributary'): Promise<void> {
  const folder = join(process.env['TRIBUTARY_E2E_HOME'] ?? '', 'data', 'postgres')
  const [, , , port, host] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
  const client = new pg.Client({ host: host ?? '', port: Number(port), user: 'postgres', database })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
