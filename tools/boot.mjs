/**
 * Entry point of every npm script: installs the packages and the pinned Node where needed, then runs the job under that
 * Node. Plain JavaScript and built-ins only, because it must run on Node 20 in a clone that has nothing installed yet.
 */
const major = Number.parseInt(process.versions.node, 10)
if (major < 20)
  fail(`Tributary needs Node 20 or newer to start itself; this is Node ${process.versions.node}. Install a newer one.`)

const jobs = {
  start: () => import('./boot/start.mjs').then(({ start }) => start()),
  dev: () => import('./boot/start.mjs').then(({ dev }) => dev()),
  check: () => import('./boot/verify.mjs').then(({ check }) => check()),
  test: () => import('./boot/verify.mjs').then(({ test }) => test()),
  programme: () => import('./boot/programme.mjs').then(({ programme }) => programme(process.argv[3])),
  soak: () => import('./boot/programme.mjs').then(({ programme }) => programme('soak')),
  bench: () => import('./boot/bench.mjs').then(({ bench }) => bench(process.argv.slice(3))),
  screens: () => import('./boot/screens.mjs').then(({ screens }) => screens()),
  shape: () => import('./boot/verify.mjs').then(({ shape }) => shape()),
  format: () => import('./boot/verify.mjs').then(({ format }) => format()),
  install: () => import('./boot/packages.mjs').then(({ installRuntimePackages }) => installRuntimePackages()),
  pages: () => import('./boot/pages.mjs').then(({ buildPages }) => buildPages()),
  pack: () => import('./boot/pack.mjs').then(({ pack }) => pack()),
  sbom: () => import('./boot/sbom.mjs').then(({ sbom }) => sbom(process.argv[3])),
}
const job = jobs[process.argv[2]]
if (job === undefined) fail(`Name a job: ${Object.keys(jobs).join(', ')}.`)

try {
  process.exitCode = (await job()) ?? 0
} catch (error) {
  fail(error.isForUser ? error.message : (error.stack ?? String(error)))
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
