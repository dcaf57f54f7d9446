/** A MariaDB from Debian's packages in a separate folder, on a free loopback port. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { once } from 'node:events'
import { findFreePort } from './free-port.ts'

const user = 'tester'
const password = 'canary-mariadb-password'

/** Gives up durability for speed. */
export const fastSettings = ['--innodb-flush-log-at-trx-commit=0', '--innodb-buffer-pool-size=256M']

/** @param home a folder that nothing else uses: a starting server deletes files that look like its own leftovers */
export async function startMariadb(home: string, settings: readonly string[]) {
  requireMariadb()
  mkdirSync(home, { recursive: true })
  const dataDir = join(home, 'data')
  const asRoot = process.getuid?.() === 0 ? ['--user=root'] : []
  execFileSync(
    'mariadb-install-db',
    ['--no-defaults', `--datadir=${dataDir}`, '--auth-root-authentication-method=normal', '--skip-test-db', ...asRoot],
    // Piped, so that an error includes the output. The server that creates the tables deletes leftovers, too.
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, TMPDIR: home } },
  )
  const init = join(home, 'init.sql')
  writeFileSync(
    init,
    `CREATE USER ${user}@'127.0.0.1' IDENTIFIED BY '${password}';\nGRANT ALL ON *.* TO ${user}@'127.0.0.1' WITH GRANT OPTION;\n`,
  )
  const port = await findFreePort()
  const server = spawn(
    mariadbd(),
    [
      '--no-defaults',
      `--datadir=${dataDir}`,
      `--socket=${join(home, 'm.sock')}`,
      `--port=${port}`,
      `--init-file=${init}`,
      `--log-error=${join(home, 'error.log')}`,
      `--tmpdir=${home}`,
      '--bind-address=127.0.0.1',
      '--skip-name-resolve',
      '--local-infile=ON',
      ...settings,
      ...asRoot,
    ],
    { stdio: 'ignore' },
  )
  await untilListening(port, server)
  return {
    reach: { host: '127.0.0.1', port, user, password },
    async stop() {
      server.kill('SIGTERM')
      if (server.exitCode === null) await once(server, 'exit')
    },
  }
}

function mariadbd(): string {
  return existsSync('/usr/sbin/mariadbd') ? '/usr/sbin/mariadbd' : 'mariadbd'
}

/** A missing database is a failure, never a skipped test. */
function requireMariadb(): void {
  if (existsSync('/usr/sbin/mariadbd')) return
  throw new Error('MariaDB is missing. Install it: apt-get install mariadb-server')
}

async function untilListening(port: number, server: ChildProcess): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 50) {
    if (server.exitCode !== null) break
    if (await answers(port)) return
    await sleep(50)
  }
  throw new Error('MariaDB did not start.')
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
