import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findFreePort } from '../databases/free-port.ts'

const root = join(import.meta.dirname, '../..')
let home: string
const stops: (() => Promise<void>)[] = []

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tributary-start-'))
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  rmSync(home, { recursive: true, force: true })
})

describe('npm start', () => {
  test('prints the address and the accounts, reports that it is alive and ready, refuses a second start on the same data folder in one line and keeps running; SIGTERM ends it cleanly, database included, with no orphan', async () => {
    const product = await start()
    expect(product.output()).toContain(`http://localhost:${product.port}`)
    expect(product.output()).toContain('admin@demo.example')
    expect((await fetch(`${product.address}/healthz`)).status).toBe(200)

    const { code, errors } = await fails({ PORT: '0' })
    expect(code).toBe(1)
    expect(errors).toMatch(/^Another Tributary is running on the data folder [^\n]*\n$/)
    expect((await fetch(`${product.address}/readyz`)).status).toBe(200)
    await endsCleanly(product, 'SIGTERM')
  })

  test('SIGINT ends it cleanly, database included, with no orphan', async () => {
    await endsCleanly(await start(), 'SIGINT')
  })

  test('when the process that started it is killed, the server and its database stop', async () => {
    const product = await start()
    const database = postmaster()
    product.process.kill('SIGKILL')
    while (isAlive(database) || leftOver().length > 0) await sleep(100)
  })

  test('a port in use is reported in one line', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const { code, errors } = await fails({ PORT: String(port) })
    other.close()
    expect(code).toBe(1)
    expect(errors).toMatch(new RegExp(`^[^\\n]*${port}[^\\n]*PORT[^\\n]*\\n$`))
  })

  test('a data folder that cannot be written is reported in one line', async () => {
    const { code, errors } = await fails({ TRIBUTARY_DATA_DIR: join(home, 'file', 'below') }, () =>
      execFileSync('touch', [join(home, 'file')]),
    )
    expect(code).toBe(1)
    expect(errors).toMatch(/^The data folder [^\n]* cannot be written [^\n]*\n$/)
  })

  test('DATABASE_URL alone is refused with an explanation', async () => {
    const { code, errors } = await fails({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
    expect(code).toBe(1)
    expect(errors).toContain('TRIBUTARY_MODE=production')
  })

  test('a Node that is too old is reported in one line', () => {
    const script = readFileSync(join(root, 'tools/boot.mjs'), 'utf8').replace(
      'process.versions.node, 10',
      `'18.20.0', 10`,
    )
    expect(() => execFileSync(process.execPath, ['--input-type=module', '-e', script], { stdio: 'pipe' })).toThrow(
      /needs Node 20 or newer/,
    )
  })
})

interface Product {
  readonly process: ReturnType<typeof spawn>
  readonly address: string
  readonly port: number
  output(): string
}

async function start(): Promise<Product> {
  const port = await findFreePort()
  const child = launch({ PORT: String(port) })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  stops.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  const address = `http://127.0.0.1:${port}`
  while (!(await answers(`${address}/readyz`))) {
    if (child.exitCode !== null) throw new Error(`It ended: ${output}`)
    await sleep(50)
  }
  return { process: child, address, port, output: () => output }
}

async function endsCleanly({ process: product }: Product, signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
  const database = postmaster()
  product.kill(signal)
  expect(await once(product, 'exit')).toEqual([0, null])
  expect(isAlive(database)).toBe(false)
  expect(leftOver()).toEqual([])
}

async function fails(env: Record<string, string>, before?: () => void) {
  before?.()
  const child = launch(env)
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const [code] = (await once(child, 'exit')) as [number | null]
  return { code, errors }
}

function launch(env: Record<string, string>) {
  return spawn(process.execPath, ['tools/boot.mjs', 'start'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: '', TRIBUTARY_DATA_DIR: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function answers(address: string): Promise<boolean> {
  return fetch(address).then(
    (answer) => answer.ok,
    () => false,
  )
}

function postmaster(): number {
  return Number.parseInt(readFileSync(join(home, 'postgres', 'postmaster.pid'), 'utf8'), 10)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Command lines of the processes that use our data folder. */
function leftOver(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        return ''
      }
    })
    .filter((line) => line.includes(home))
}
