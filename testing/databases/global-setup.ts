/** Starts one real PostgreSQL and one real MariaDB for all tests of a run, and removes their folder afterwards. */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../server/src/kernel/embedded/supervisor.ts'
import { createDataFolder } from './data-folder.ts'
import { fastSettings, startMariadb } from './mariadb.ts'

export interface TestServerAddress {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestServerAddress
    mariadb: TestServerAddress
  }
}

/**
 * No durability, because nothing here must survive a power cut; many connections, because test files run in parallel.
 */
const fast = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_connections=400']

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = createDataFolder('tributary-test-')
  const [postgres, mariadb] = await Promise.all([
    startEmbedded(home, { settings: fast }),
    startMariadb(join(home, 'mariadb'), fastSettings),
  ])
  const password = await openTcp(home, postgres.superuser)
  project.provide('postgres', { ...postgres.warehouse, user: 'postgres', password })
  project.provide('mariadb', mariadb.reach)
  return async () => {
    await Promise.all([postgres.stop(), mariadb.stop()])
    rmSync(home, { recursive: true, force: true })
  }
}

/** Lets tests connect to PostgreSQL like to a customer's database: by TCP and password. */
async function openTcp(home: string, superuser: pg.ClientConfig): Promise<string> {
  const rules = join(home, 'postgres', 'pg_hba.conf')
  const rulesBefore = readFileSync(rules, 'utf8')
  writeFileSync(rules, 'host all postgres 127.0.0.1/32 scram-sha-256\n')
  appendFileSync(rules, rulesBefore.replace('host all all all reject', 'host all all 127.0.0.1/32 scram-sha-256'))
  const client = new pg.Client(superuser)
  await client.connect()
  await client.query(`ALTER ROLE postgres PASSWORD 'canary-superuser-password'`)
  await client.query('SELECT pg_reload_conf()')
  await client.end()
  return 'canary-superuser-password'
}
