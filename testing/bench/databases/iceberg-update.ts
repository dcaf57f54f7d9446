/**
 * Updates of a share of an Iceberg table of a million rows: by writing its files again, and by position deletes. Each time a new table is
 * loaded, one commit changes rows that are spread evenly over it, and DuckDB reads the whole table. `--rows=N` for another size,
 * `--shares=0.01` for other shares. The tool that starts it has installed DuckDB for the Python of `--python`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median, readRoundsOption, readRowsOption, runMeasured } from '../measure.ts'
import type { IcebergUpdateJob, MeasuredUpdate } from './iceberg-update-write.ts'

const rows = readRowsOption(1_000_000)
const rounds = readRoundsOption()
const optionOf = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
const python = optionOf('python') ?? ''
const shares = (optionOf('shares') ?? '0.0001,0.01,0.1').split(',').map(Number)
const modes = ['copied', 'deletedByPosition'] as const
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

interface UpdateWithRead extends MeasuredUpdate {
  readonly readSeconds: number
}

const results = new Map<string, UpdateWithRead[]>()
for (let round = 0; round < rounds; round++)
  for (const share of shares)
    for (const mode of modes) {
      const name = `${(share * 100).toLocaleString('en')} %, ${mode === 'copied' ? 'files written again' : 'position deletes'}`
      const update = await measureUpdate({ rows, share, mode })
      results.set(name, [...(results.get(name) ?? []), update])
      process.stderr.write(`  ${round + 1}/${rounds} ${name}: ${update.seconds.toFixed(2)} s\n`)
    }
console.log(`\n## Updates of ${rows.toLocaleString('en')} rows (median of ${rounds})\n`)
console.log(
  '| Rows that change | s | MB written | Files written | s of a full read by DuckDB | peak MB |\n|---|---|---|---|---|---|',
)
for (const [name, updates] of results) {
  const of = (figure: (update: UpdateWithRead) => number) => median(updates.map(figure))
  const figures = [
    of(({ seconds }) => seconds).toFixed(2),
    of(({ bytes }) => bytes / 1e6).toFixed(2),
    of(({ files }) => files),
    of(({ readSeconds }) => readSeconds).toFixed(3),
    of(({ peakMb = 0 }) => peakMb).toFixed(0),
  ]
  console.log(`| ${name} | ${figures.join(' | ')} |`)
}

async function measureUpdate(update: Omit<IcebergUpdateJob, 'folder'>): Promise<UpdateWithRead> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-bench-lake-'))
  try {
    const job: IcebergUpdateJob = { ...update, folder }
    const written = (await runMeasured(process.execPath, [
      pathOf('iceberg-update-write.ts'),
      JSON.stringify(job),
    ])) as MeasuredUpdate
    const read = await runMeasured(python, [pathOf('iceberg-read.py'), written.metadataFile])
    return { ...written, readSeconds: read.seconds }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
