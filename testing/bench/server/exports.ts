/**
 * The memory of exports of one and of four million rows, each by a server that has just started, and of one whose reader stops. Fails if the
 * peak over idle exceeds its limit, or if that of the process that writes the file grows with the rows. In the server, V8 lets buffers
 * of 64 MB accumulate before it collects them. Run: node testing/bench/server/exports.ts [rows of the small export] [formats]
 */
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { trialOrganisations } from '../../../server/src/trial/people.ts'
import { fillInvoiceLines } from './invoice-lines.ts'
import { startMeasuredServer } from './measured-server.ts'

const fewRows = Number(process.argv[2] ?? 1_000_000)
const formats = (process.argv[3] ?? 'csv,parquet,xlsx').split(',')
const manyRows = 4 * fewRows
/** Of the server over idle and the writer together. */
const limitMb = 250
const growthMax = 1.2
const client = `/api/tributary/clients/${trialOrganisations[0].id}`

const server = await startMeasuredServer()
await server.time(`${client}/warehouse`, await server.signIn('admin@demo.example'), 1)
await fillInvoiceLines(server, manyRows)

console.log(
  `\n## Memory of exports\n\n| File | Rows | s | MB of the file | Server idle MB | Server peak over idle MB | Writer peak MB | Both MB |\n|---|---|---|---|---|---|---|---|`,
)
for (const format of formats) {
  const few = await measure(format, fewRows, drain)
  const many = await measure(format, manyRows, drain)
  if (few.all > limitMb || many.all > limitMb || many.writer > few.writer * growthMax) process.exitCode = 1
}
if ((await measure('csv', manyRows, stall)).all > limitMb) process.exitCode = 1
await server.stop()

type Reader = (reply: IncomingMessage) => Promise<number>

/** In MB. */
interface Peaks {
  /** Over idle. */
  server: number
  writer: number
  /** Both at the same time. */
  all: number
}

async function measure(format: string, rows: number, read: Reader): Promise<Peaks> {
  await server.restart()
  const token = await server.signIn('admin@demo.example')
  await drain(await download(format, 1_000, token))
  await wait(1_000)
  const idle = residentMb(server.processId)
  const peaks: Peaks = { server: 0, writer: 0, all: 0 }
  const sampler = setInterval(() => {
    const own = residentMb(server.processId) - idle
    const writer = childrenOf(server.processId).reduce((sum, child) => sum + residentMb(child), 0)
    peaks.server = Math.max(peaks.server, own)
    peaks.writer = Math.max(peaks.writer, writer)
    peaks.all = Math.max(peaks.all, own + writer)
  }, 20)
  const since = performance.now()
  const bytes = await read(await download(format, rows, token))
  const seconds = (performance.now() - since) / 1_000
  clearInterval(sampler)
  const figures = [
    seconds.toFixed(1),
    ...[bytes / 1e6, idle, peaks.server, peaks.writer, peaks.all].map((mb) => mb.toFixed(0)),
  ]
  const name = read === stall ? `${format}, the reader stops` : format
  console.log(`| ${name} | ${rows.toLocaleString('en')} | ${figures.join(' | ')} |`)
  return peaks
}

function download(format: string, rows: number, token: string): Promise<IncomingMessage> {
  const filters = JSON.stringify([{ column: 'id', operator: 'between', values: ['1', String(rows)] }])
  const path = `${client}/data/tables/bench/invoice_line/rows.${format}?${new URLSearchParams({ filters }).toString()}`
  return new Promise((resolve, reject) => {
    get({ port: server.port, path, headers: { authorization: `Bearer ${token}` } }, (reply) =>
      reply.statusCode === 200 ? resolve(reply) : reject(new Error(`The server answered ${reply.statusCode}.`)),
    ).once('error', reject)
  })
}

/** Reads a reply to its end without keeping it. Returns its size in bytes. */
async function drain(reply: IncomingMessage): Promise<number> {
  let bytes = 0
  for await (const part of reply) bytes += (part as Buffer).length
  return bytes
}

/** Reads the first bytes, then nothing for ten seconds, and leaves. */
async function stall(reply: IncomingMessage): Promise<number> {
  let bytes = 0
  for await (const part of reply) {
    bytes += (part as Buffer).length
    if (bytes < 1_000_000) continue
    await wait(10_000)
    break
  }
  return bytes
}

/** Linux only. 0 for a process that has ended. */
function residentMb(processId: number): number {
  return Number(/^VmRSS:\s+(\d+)/mu.exec(readProcess(processId, 'status'))?.[1] ?? 0) / 1_024
}

function childrenOf(processId: number): readonly number[] {
  return [...readProcess(processId, `task/${processId}/children`).matchAll(/\d+/gu)].map(Number)
}

function readProcess(processId: number, file: string): string {
  try {
    return readFileSync(`/proc/${processId}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
