/** Writes orders into a Parquet file with DuckDB, in a separate process, and reports what it took. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { reportMeasured } from '../measure.ts'

export interface DuckdbWriteJob {
  /** Where DuckDB is installed. */
  readonly duckdb: string
  /** Rows as COPY text. */
  readonly file: string
  readonly folder: string
}

/** What is used of it. It is no dependency, because its library is larger than the product. */
interface Duckdb {
  readonly DuckDBInstance: { create(path: string): Promise<DuckdbInstance> }
}

interface DuckdbInstance {
  connect(): Promise<{ run(sql: string): Promise<unknown> }>
}

const columns = `{'id': 'BIGINT', 'customer': 'VARCHAR', 'placed_on': 'DATE', 'changed_at': 'TIMESTAMPTZ', 'total': 'DECIMAL(18, 2)',
  'quantity': 'INTEGER', 'note': 'VARCHAR', 'is_paid': 'BOOLEAN'}`

const job = JSON.parse(process.argv[2] ?? '') as DuckdbWriteJob
const library = pathToFileURL(join(job.duckdb, 'node_modules/@duckdb/node-api/lib/index.js'))
const { DuckDBInstance } = (await import(library.href)) as Duckdb
const connection = await (await DuckDBInstance.create(':memory:')).connect()
const since = performance.now()
await connection.run(
  `COPY (SELECT * FROM read_csv('${job.file}', delim = '\t', header = false, nullstr = '\\N', quote = '', escape = '', columns = ${columns}))
  TO '${join(job.folder, 'orders.parquet')}' (FORMAT parquet, COMPRESSION zstd)`,
)
reportMeasured((performance.now() - since) / 1_000)
