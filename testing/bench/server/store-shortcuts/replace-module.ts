/**
 * Loaded with `--import`: replaces modules of the server by versions without a shortcut. `TRIBUTARY_BENCH_WITHOUT`
 * names the shortcut; if it is empty, nothing is replaced.
 */
import { registerHooks } from 'node:module'

const modules: Readonly<Record<string, readonly string[]>> = {
  'prepared statements': ['store/prepared-statements.ts'],
  'named columns': ['store/column-names.ts', 'store/snake-case.ts'],
}
const replaced = modules[process.env['TRIBUTARY_BENCH_WITHOUT'] ?? ''] ?? []

registerHooks({
  resolve(specifier, context, nextResolve) {
    const found = nextResolve(specifier, context)
    if (context.parentURL?.includes('/store-shortcuts/') === true) return found
    const file = replaced.find((name) => found.url.endsWith(`/server/src/kernel/${name}`))
    return file === undefined ? found : { ...found, url: new URL(file.replace(/^\w+\//u, './'), import.meta.url).href }
  },
})
