/** Programmes that compare described sources with programs of others. */
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { bin, environment, node, root, run } from './process.mjs'
import { installFromGo, installFromPyPi } from './programme-packages.mjs'

export const sourceProgrammes = {
  dlt: {
    what: 'the same API through a source description and through dlt (from PyPI): rows that differ, seconds and memory',
    run: dlt,
  },
  'stripe-mock': {
    what: 'requests and types of the description of Stripe, checked by Stripe’s official mock (from Go’s module proxy) and its API description',
    run: stripeMock,
  },
}

/** Pinned, as in docs/performance.md. */
const dltPackage = 'dlt[postgres]==1.31.0'

async function dlt() {
  const python = await installFromPyPi(dltPackage, join(root, 'node_modules', '.cache', 'dlt'), 'python')
  return run(node(), ['--disable-warning=ExperimentalWarning', join(root, 'testing/bench/dlt/differential-run.ts')], {
    env: environment({ TRIBUTARY_DLT_PYTHON: python }),
  })
}

/** Pinned, so that a failure means that the description has changed. */
const stripeMockModule = 'github.com/stripe/stripe-mock@v0.203.0'

async function stripeMock() {
  const folder = join(root, 'node_modules', '.cache', 'stripe-mock')
  const modules = join(folder, 'go')
  await installFromGo(stripeMockModule, 'stripe-mock', { GOPATH: modules, GOFLAGS: '-modcacherw' })
  // Its sources have the API description.
  const sources = join(folder, 'module')
  rmSync(sources, { force: true })
  symlinkSync(join(modules, 'pkg', 'mod', stripeMockModule), sources)
  return run(bin('vitest'), ['run', '--reporter=verbose', 'programmes/stripe/'], {
    env: environment({ TRIBUTARY_PROGRAMME: 'stripe-mock', TRIBUTARY_STRIPE_MOCK: folder }),
  })
}
