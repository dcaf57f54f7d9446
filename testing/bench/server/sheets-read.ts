/** Reads a file once. Started by `sheets.ts`. */
import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { parse } from 'csv-parse'
import { SaxesParser } from 'saxes'
import { openPromise } from 'yauzl'
import { readSheets } from '../../../server/src/planning/sheet-files/read-sheets.ts'

export interface SheetJob {
  readonly path: string
  readonly kind: '.xlsx' | '.csv'
  readonly how: 'bare' | 'ours'
}

const { path, kind, how } = JSON.parse(process.argv[2] ?? '') as SheetJob
const since = performance.now()
let peakKb = 0
if (how === 'ours') await readOurs()
else console.error(`${await (kind === '.xlsx' ? countCells() : countFields())} values`)
const seconds = (performance.now() - since) / 1_000
console.log(JSON.stringify({ seconds, peakMb: Math.max(process.resourceUsage().maxRSS, peakKb) / 1_024 }))

async function readOurs(): Promise<void> {
  await using file = await open(path)
  const { signal } = new AbortController()
  await readSheets({ fd: file.fd, signal, take: async () => void (peakKb = Math.max(peakKb, peakOfReader())) })
}

/** Peak resident memory of the reading process in KiB. */
function peakOfReader(): number {
  const [child = ''] = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ')
  return Number(/VmHWM:\s+(\d+)/u.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1] ?? 0)
}

async function countCells(): Promise<number> {
  const zip = await openPromise(path)
  let cells = 0
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.endsWith('.xml')) continue
    const parser = new SaxesParser()
    parser.on('opentag', ({ name }) => {
      if (name === 'c') cells += 1
    })
    const text = (await zip.openReadStreamPromise(entry)).setEncoding('utf8')
    for await (const piece of text) parser.write(piece as string)
    parser.close()
  }
  return cells
}

async function countFields(): Promise<number> {
  await using file = await open(path)
  let fields = 0
  for await (const record of file.createReadStream({ autoClose: false }).pipe(parse()))
    fields += (record as string[]).length
  return fields
}
