/** Every known way of server-side request forgery: a seeded sample as a slice, all with `npm run soak`. */
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { EgressSettings, EgressReport } from '../../server/egress/egress-process.ts'
import { pipeSockets } from '../../server/egress/egress-servers.ts'
import { cloneDatabase } from '../../server/app/test-database.ts'
import { isFull, seed } from '../extent.ts'

/** In this network namespace every address is local, and no packet leaves it. */
const ownNetwork =
  'ip link set lo up && ip route add local 0.0.0.0/0 dev lo && (ip -6 route add local ::/0 dev lo || true)'
/** Flags for users with user namespaces, and for root without. */
const namespaceFlags = [['-Urn'], ['-n']].filter((flags) => works(['unshare', ...flags, 'sh', '-c', ownNetwork]))
const [usableFlags] = namespaceFlags
const where =
  usableFlags === undefined
    ? 'without a network namespace, sinks in 127.0.0.0/8 and ::1'
    : 'sinks at every address of a network namespace'

function works([command = '', ...rest]: readonly string[]): boolean {
  try {
    execFileSync(command, rest, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const home = mkdtempSync(joinPath(tmpdir(), 'tributary-egress-'))
let door: Server
beforeAll(async () => {
  // A Unix socket is reachable from every network namespace, so the process reaches its store by this one.
  const { host, port } = inject('postgres')
  door = createServer((socket) => pipeSockets(socket, connect(port, host))).listen(joinPath(home, `.s.PGSQL.${port}`))
  await once(door, 'listening')
})
afterAll(() => {
  door.close()
  rmSync(home, { recursive: true, force: true })
})

test(
  `no spelling of a host, DNS answer, redirect, link or rerouting makes the server connect to a forbidden address (${where}, seed ${seed})`,
  async ({ annotate }) => {
    const report = await runProgramme()
    await annotate(JSON.stringify({ cases: report.cases, calls: report.calls, opened: report.opened }))
    expect(report).toMatchObject({ reached: [], astray: usableFlags === undefined ? null : 0, odd: [] })
    expect(report.opened).toBeGreaterThan(5)
    expect(report.cases).toBeGreaterThan(isFull ? 300 : 10)
  },
  isFull ? 1_200_000 : 120_000,
)

async function runProgramme(): Promise<EgressReport> {
  const { user, password, port } = inject('postgres')
  const settings: EgressSettings = {
    connection: { ...(await cloneDatabase()), host: home },
    warehouse: { host: home, port, user, password, database: 'postgres' },
    isAlone: usableFlags !== undefined,
    seed,
    share: isFull ? 1 : 0.01,
  }
  const programme = [
    process.execPath,
    joinPath(import.meta.dirname, '../../server/egress/egress-process.ts'),
    JSON.stringify(settings),
  ]
  const [command = '', ...rest] =
    usableFlags === undefined
      ? programme
      : ['unshare', ...usableFlags, '--kill-child', 'sh', '-c', `${ownNetwork} && exec "$@"`, 'sh', ...programme]
  const { stdout } = await promisify(execFile)(command, rest, { maxBuffer: 64 * 1_048_576 })
  return JSON.parse(stdout) as EgressReport
}
