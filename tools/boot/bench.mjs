/** Runs the benchmarks that docs/performance.md quotes; names limit them: `npm run bench -- postgres-copy`. */
import { join } from 'node:path'
import { bringPackages, buildPages, node, refusal, root, run } from './workshop.mjs'

const all = {
  'postgres-copy': 'postgres-copy.ts',
  'postgres-upsert': 'postgres-upsert.ts',
  'mariadb-copy': 'mariadb-copy.ts',
  'json-api': 'json-api.ts',
  xero: 'xero.ts',
  'api-list': 'api-list.ts',
  records: 'records.ts',
  'sign-in': 'sign-in.ts',
  'visitor-calls': 'visitor-calls.ts',
  entitlements: 'entitlements.ts',
  sheets: 'sheets.ts',
  'portal-bundle': 'portal-bundle.mjs',
  'portal-lighthouse': 'portal-lighthouse.mjs',
  'link-editor': 'link-editor.ts',
  scheduler: 'scheduler.ts',
  'two-workers': 'two-workers.ts',
  'idle-memory': 'idle-memory.ts',
}

export async function bench(wished) {
  await bringPackages()
  await buildPages()
  for (const name of wished.length === 0 ? Object.keys(all) : wished) {
    if (all[name] === undefined)
      throw refusal(`There is no benchmark ${name}; there are ${Object.keys(all).join(', ')}.`)
    const code = await run(node(), ['--disable-warning=ExperimentalWarning', join(root, 'bench', all[name])])
    if (code !== 0) return code
  }
  return 0
}
