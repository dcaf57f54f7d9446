/** The programmes that run apart from `npm test`, each an entry here: `npm run programme -- NAME`. */
import { bringDebianPackages } from './verify.mjs'
import { bin, bringPackages, buildPages, environment, refusal, run } from './workshop.mjs'

const programmes = {
  slices: { what: 'the soaks, as short as npm test runs them', run: () => soaks() },
  soak: { what: 'the soaks in full: the figures of docs/reliability.md', run: () => soaks({ TRIBUTARY_SOAK: 'full' }) },
}

export async function programme(name) {
  if (name === undefined) {
    for (const [each, { what }] of Object.entries(programmes)) console.log(`${each}: ${what}`)
    return 0
  }
  if (programmes[name] === undefined) throw refusal(`There is no programme ${name}; there are ${Object.keys(programmes).join(', ')}.`)
  await bringPackages()
  await bringDebianPackages()
  return programmes[name].run()
}

async function soaks(more = {}) {
  await buildPages()
  return run(bin('vitest'), ['run', '--project', 'server', 'soak'], { env: environment(more) })
}
