/**
 * The memory of an idle trial: the proportional set size of all processes of `npm start`, including npm and the
 * database.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '../../databases/free-port.ts'

// Connections that the start opened are closed half a minute after their last use.
const calmSeconds = 60
const home = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
const env = {
  ...process.env,
  PORT: String(await findFreePort()),
  TRIBUTARY_DATA_DIR: home,
  TRIBUTARY_LOG_LEVEL: 'error',
}
const root = join(import.meta.dirname, '../../..')
const trial = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
for await (const output of trial.stdout.iterator({ destroyOnReturn: false }))
  if (String(output).includes(env.PORT)) break
trial.stdout.resume()
await wait(calmSeconds * 1_000)

const family = withDescendants(trial.pid ?? 0)
const shares = family.map((processId) => ({ name: nameOf(processId), mb: proportionalMb(processId) }))
const database = shares.filter(({ name }) => name.includes('postgres'))
const sum = (of: typeof shares) => of.reduce((total, { mb }) => total + mb, 0).toFixed(0)
console.log(`\n## Idle trial, ${calmSeconds} s after it was ready\n\n| processes | MB (PSS) |\n|---|---|`)
console.log(
  `| Tributary (${shares.length - database.length}) | ${sum(shares.filter((each) => !database.includes(each)))} |`,
)
console.log(`| PostgreSQL (${database.length}) | ${sum(database)} |\n| all | ${sum(shares)} |`)

const ended = once(trial, 'exit')
trial.kill('SIGTERM')
await ended
rmSync(home, { recursive: true, force: true })

function withDescendants(root: number): readonly number[] {
  const parents = new Map(processIds().map((processId) => [processId, parentOf(processId)]))
  const isOurs = (processId: number): boolean => {
    const parent = parents.get(processId)
    return processId === root || (parent !== undefined && parent > 1 && isOurs(parent))
  }
  return [...parents.keys()].filter(isOurs)
}

function processIds(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** Returns 0 if the process has just ended. */
function parentOf(processId: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${processId}/status`))?.[1] ?? 0)
}

function nameOf(processId: number): string {
  return read(`/proc/${processId}/cmdline`).replaceAll('\0', ' ')
}

function proportionalMb(processId: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${processId}/smaps_rollup`))?.[1] ?? 0) / 1_024
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
