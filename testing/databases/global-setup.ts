/** Starts one real PostgreSQL and one real MariaDB for all tests of a run, and removes their folder afterwards. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../server/src/kernel/embedded/supervisor.ts'
import { createDataFolder } from './data-folder.ts'
import { fastSettings, startMariadb } from './mariadb.ts'
import { openTcp } from './open-tcp.ts'

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
const fast = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'max_connections=400',
  // The databases of tests live for seconds.
  'autovacuum=off',
  // Every test opens a dozen connections, whose passwords need no protection from guesses.
  'scram_iterations=1',
]

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
