/** Programmes that compare described sources with programs of others. */
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { bin, environment, node, root, run, userError } from './process.mjs'
import { installFromPyPi } from './programme-packages.mjs'

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
  if (!existsSync(join(folder, 'module'))) await installStripeMock(folder)
  return run(bin('vitest'), ['run', '--reporter=verbose', 'programmes/stripe/'], {
    env: environment({ TRIBUTARY_PROGRAMME: 'stripe-mock', TRIBUTARY_STRIPE_MOCK: folder }),
  })
}

/** The program, and in `module` its sources with the API description. */
async function installStripeMock(folder) {
  console.log(`Installing ${stripeMockModule} (once)…`)
  mkdirSync(folder, { recursive: true })
  const modules = join(folder, 'go')
  const env = environment({ GOBIN: folder, GOPATH: modules, GOFLAGS: '-modcacherw' })
  const code = await run('go', ['install', stripeMockModule], { env }).catch(() => 1)
  if (code !== 0)
    throw userError(
      `${stripeMockModule} could not be installed. It needs Go 1.22 or newer, from https://go.dev/dl, and the network`,
    )
  symlinkSync(join(modules, 'pkg', 'mod', stripeMockModule), join(folder, 'module'))
}
