/**
 * A refresh of an Iceberg table in a local folder, compared with DuckDB, which writes the same rows from the same text into one Parquet file
 * without a table around it. `--rows=10000000` for more rows. The tool that starts it has installed DuckDB in the folder of `--duckdb`.
 */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { compare, readRowsOption, script } from '../measure.ts'
import type { DuckdbWriteJob } from './duckdb-write.ts'
import type { IcebergWriteJob } from './iceberg-write.ts'

const rows = readRowsOption(1_000_000)
const duckdb = process.argv.find((argument) => argument.startsWith('--duckdb='))?.slice('--duckdb='.length) ?? ''
const folder = await mkdtemp(join(tmpdir(), 'tributary-bench-lake-'))
const file = join(folder, 'orders.txt')
const scriptOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

try {
  await writeOrders()
  await compare({
    title: `${rows.toLocaleString('en')} orders of eight columns into Parquet`,
    rows,
    cases: [
      {
        name: 'DuckDB into one file',
        run: () => script(scriptOf('duckdb-write.ts'), { duckdb, file, folder } satisfies DuckdbWriteJob),
      },
      {
        name: 'Tributary into an Iceberg table',
        run: () => script(scriptOf('iceberg-write.ts'), { file } satisfies IcebergWriteJob),
      },
    ],
  })
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** As the text in which a source yields them. */
async function writeOrders(): Promise<void> {
  const output = createWriteStream(file)
  const batchRows = 10_000
  for (let from = 1; from <= rows; from += batchRows) {
    const count = Math.min(batchRows, rows - from + 1)
    const text = Array.from({ length: count }, (_, at) => orderText(from + at)).join('')
    if (!output.write(text)) await once(output, 'drain')
  }
  output.end()
  await once(output, 'close')
}

function orderText(id: number): string {
  const pair = (number: number): string => String(number).padStart(2, '0')
  const day = `2025-${pair(1 + (Math.floor(id / 28) % 12))}-${pair(1 + (id % 28))}`
  const moment = `${day} 10:20:${pair(id % 60)}.123456+00`
  const note = id % 4 === 0 ? '\\N' : `order ${id} of batch ${id % 1000}`
  const fields = [
    id,
    `Customer ${(id * 7919) % 50_000}`,
    day,
    moment,
    `${id % 100_000}.${pair(id % 100)}`,
    id % 50,
    note,
    id % 3 === 0 ? 't' : 'f',
  ]
  return `${fields.join('\t')}\n`
}
