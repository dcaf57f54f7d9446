/** Programmes in which programs of other authors read what an Iceberg target has written. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bin, environment, root, run, userError } from './process.mjs'
import { installFromPyPi } from './programme-packages.mjs'

export const lakeProgrammes = {
  iceberg: {
    what: 'Iceberg tables, read by PyIceberg, DuckDB and Spark (from PyPI, with the Iceberg runtime from Maven)',
    run: iceberg,
  },
}

/** Pinned, so that a failure means that the product has changed, and as docs/reliability.md names them. */
const readers = [
  'pyiceberg[pyarrow]==0.12.0',
  'pyarrow==26.0.1',
  'duckdb==1.5.5',
  'duckdb-extension-avro==1.5.5',
  'duckdb-extension-iceberg==1.5.5',
  'pyspark[sql]==4.1.4',
]
const runtime = { group: 'org.apache.iceberg', name: 'iceberg-spark-runtime-4.1_2.13', version: '1.12.0' }

async function iceberg() {
  const folder = join(root, 'node_modules', '.cache', 'iceberg-readers')
  const python = await installFromPyPi(readers, folder, 'python')
  const env = environment({
    TRIBUTARY_PROGRAMME: 'iceberg',
    TRIBUTARY_ICEBERG_PYTHON: python,
    TRIBUTARY_ICEBERG_RUNTIME: await installRuntime(folder),
  })
  return run(bin('vitest'), ['run', '--reporter=verbose', 'programmes/iceberg/'], { env })
}

async function installRuntime(folder) {
  const { group, name, version } = runtime
  const file = join(folder, `${name}-${version}.jar`)
  if (existsSync(file)) return file
  const code = await run('mvn', [
    '--quiet',
    'dependency:copy',
    `-Dartifact=${group}:${name}:${version}`,
    `-DoutputDirectory=${folder}`,
  ]).catch(() => 1)
  if (code !== 0)
    throw userError(
      `${name} could not be installed. It needs Maven and Java 17 or newer (on Debian: sudo apt-get install -y maven) and the network.`,
    )
  return file
}
