/**
 * What every npm script goes through: brings the pinned Node and the packages, then does the job under that Node.
 * Plain JavaScript and built-ins only, for it must run on Node 20 in a clone that has nothing installed yet.
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
  shape: () => import('./boot/verify.mjs').then(({ shape }) => shape()),
  format: () => import('./boot/verify.mjs').then(({ format }) => format()),
  pages: () => import('./boot/workshop.mjs').then(({ buildPages }) => buildPages()),
  sbom: () => import('./boot/sbom.mjs').then(({ sbom }) => sbom(process.argv[3])),
}
const job = jobs[process.argv[2]]
if (job === undefined) fail(`Say what to do: ${Object.keys(jobs).join(', ')}.`)

try {
  process.exitCode = (await job()) ?? 0
} catch (error) {
  // What a person can act on comes as one line; anything else is our own fault and keeps its stack.
  fail(error.line ?? error.stack ?? String(error))
}

function fail(line) {
  console.error(line)
  process.exit(1)
}
