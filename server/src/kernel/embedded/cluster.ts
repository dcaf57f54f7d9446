/** The files of one PostgreSQL cluster: initialised once, then reused. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { freeBytes } from './disk-space.ts'
import { StartRefused } from '../start-error.ts'
import type { PostgresBinaries } from './binaries.ts'

const run = promisify(execFile)

export interface PostgresCluster {
  readonly dataDir: string
  /** Mode 0700. Short, because the path of a socket has at most 107 bytes. */
  readonly socketDir: string
  readonly isNew: boolean
}

/** With less free space PostgreSQL would stop in the middle of its work. */
const freeBytesMin = 200 * 1024 * 1024

export async function openCluster(home: string, binaries: PostgresBinaries): Promise<PostgresCluster> {
  const dataDir = join(resolve(home), 'postgres')
  makeFolder(dataDir)
  requireSpace(dataDir)
  const isNew = !existsSync(join(dataDir, 'PG_VERSION'))
  if (isNew) await initialise(dataDir, binaries)
  else requireVersion(dataDir, binaries)
  return { dataDir, socketDir: makeSocketFolder(dataDir), isNew }
}

/** The cluster of an existing data folder. */
export function clusterIn(home: string): PostgresCluster {
  const dataDir = join(resolve(home), 'postgres')
  return { dataDir, socketDir: makeSocketFolder(dataDir), isNew: false }
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.W_OK)
    const probe = join(dataDir, '..', '.writable')
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    throw new StartRefused(
      `The data folder ${dataDir} cannot be written (${(error as NodeJS.ErrnoException).code}). Make it writable, or name another with TRIBUTARY_DATA_DIR.`,
    )
  }
}

function requireSpace(dataDir: string): void {
  const free = freeBytes(dataDir)
  if (free >= freeBytesMin) return
  throw new StartRefused(
    `Only ${Math.floor(free / 1024 / 1024)} MB are free on the disk of ${dataDir}; Tributary needs 200. Free some space, or name another folder with TRIBUTARY_DATA_DIR.`,
  )
}

function requireVersion(dataDir: string, binaries: PostgresBinaries): void {
  const major = Number.parseInt(readFileSync(join(dataDir, 'PG_VERSION'), 'utf8'), 10)
  if (major === binaries.major) return
  throw new StartRefused(
    `The data folder ${dataDir} was made by PostgreSQL ${major}, this Tributary brings ${binaries.major}. Start the version that made it, or name another folder with TRIBUTARY_DATA_DIR.`,
  )
}

/**
 * Uses the Unicode collation instead of byte order, so that 'apple' sorts before 'Zebra'. Initialises in a temporary folder and
 * renames it: initdb writes PG_VERSION early, so an incomplete folder would count as a cluster.
 */
async function initialise(dataDir: string, binaries: PostgresBinaries): Promise<void> {
  const half = `${dataDir}.new`
  rmSync(half, { recursive: true, force: true })
  const { file, args } = binaries.command('initdb', [
    `--pgdata=${half}`,
    '--username=postgres',
    '--encoding=UTF8',
    '--locale-provider=icu',
    '--icu-locale=und',
    '--locale=C',
    '--auth=trust',
    '--no-instructions',
  ])
  try {
    await run(file, args)
  } catch (error) {
    const { stderr } = error as { stderr?: string }
    throw new StartRefused(
      `The built-in PostgreSQL could not make its data folder ${dataDir}: ${(stderr ?? String(error)).trim().split('\n').at(-1)}`,
    )
  }
  writeFileSync(join(half, 'pg_hba.conf'), accessRules)
  rmSync(dataDir, { recursive: true })
  renameSync(half, dataDir)
}

/** The role of the warehouse's readers, the only users that may connect over TCP. */
export const warehouseReaders = 'tributary_warehouse_reader'

/** Only this process's user can enter the socket's folder, so connections over the socket are trusted. */
const accessRules = `# Written by Tributary.
local all all trust
host all +${warehouseReaders} 127.0.0.1/32 scram-sha-256
host all all all reject
`

function makeSocketFolder(dataDir: string): string {
  const name = `tributary-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
  const folder = join(tmpdir(), name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  const ours = process.getuid === undefined || found.uid === process.getuid()
  if (found.isDirectory() && ours && (found.mode & 0o077) === 0) return folder
  throw new StartRefused(
    `The folder ${folder} for the database's socket belongs to another user. Remove it, or set TMPDIR to a folder of your own.`,
  )
}

/** Reuses the previous port if it is free, so that people's connection details stay valid. Otherwise returns another free port. */
export async function choosePort(dataDir: string): Promise<number> {
  const memory = join(dataDir, '..', 'warehouse-port')
  const wished = existsSync(memory) ? Number.parseInt(readFileSync(memory, 'utf8'), 10) : 54_300
  for (const candidate of [wished, ...Array.from({ length: 50 }, (_, step) => 54_300 + step), 0]) {
    const port = await findFreePort(candidate)
    if (port === undefined) continue
    writeFileSync(memory, `${port}\n`)
    return port
  }
  throw new StartRefused('No free port on 127.0.0.1 was found for the warehouse.')
}

function findFreePort(wished: number): Promise<number | undefined> {
  return new Promise((answer) => {
    const server = createServer()
    server.once('error', () => answer(undefined))
    server.listen({ host: '127.0.0.1', port: wished }, () => {
      const { port } = server.address() as { port: number }
      server.close(() => answer(port))
    })
  })
}
