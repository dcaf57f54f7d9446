/** Runs the Spark job for large tables with the programs that `npm run programme -- iceberg` has installed. */
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const job = fileURLToPath(new URL('../../../deploy/spark/maintain-tables.py', import.meta.url))
const python = process.env['TRIBUTARY_ICEBERG_PYTHON'] ?? ''
const runtime = process.env['TRIBUTARY_ICEBERG_RUNTIME'] ?? ''

interface SparkJob {
  readonly namespace: string
  /** Settings of the catalog `lake`, without `spark.sql.catalog.lake.` in their names. */
  readonly catalog: Readonly<Record<string, string>>
  /** In addition to the runtime of Iceberg. */
  readonly jars?: readonly string[]
}

/** Returns what the job prints. */
export async function maintainInSpark({ namespace, catalog, jars = [] }: SparkJob): Promise<string> {
  const configuration = {
    'spark.driver.host': '127.0.0.1',
    'spark.driver.bindAddress': '127.0.0.1',
    'spark.ui.enabled': 'false',
    'spark.sql.shuffle.partitions': '4',
    'spark.sql.catalog.lake': 'org.apache.iceberg.spark.SparkCatalog',
    ...Object.fromEntries(Object.entries(catalog).map(([name, value]) => [`spark.sql.catalog.lake.${name}`, value])),
  }
  const settings = Object.entries(configuration).flatMap(([name, value]) => ['--conf', `${name}=${value}`])
  const { stdout } = await promisify(execFile)(
    join(dirname(python), 'spark-submit'),
    ['--master', 'local[2]', '--jars', [runtime, ...jars].join(','), ...settings, job, '--namespace', namespace],
    { env: { ...process.env, SPARK_LOCAL_IP: '127.0.0.1', PYSPARK_PYTHON: python }, maxBuffer: 100_000_000 },
  )
  return stdout
}
