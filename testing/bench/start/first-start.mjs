/**
 * The first start in a fresh clone with an empty npm cache: seconds until the first page answers, and the size of
 * node_modules. Rounds alternate between the current commit and a baseline: `npm run bench -- first-start`, or
 * `node testing/bench/start/first-start.mjs COMMIT` for another baseline. The clones stay until the end (8 GB), because
 * ext4 creates files slowly for half a minute after a hundred thousand have been deleted.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = join(import.meta.dirname, '../../..')
const rounds = 3
/** The last commit that installed all packages at every start. */
const [, , baseline = 'aafe3ce'] = process.argv
const home = mkdtempSync(join(tmpdir(), 'tributary-first-start-'))
const results = new Map([baseline, 'HEAD'].map((commit) => [commit, []]))

try {
  for (let round = 0; round < rounds; round += 1)
    for (const [commit, measured] of results) measured.push(await measure(commit))
  console.log('commit     seconds  ratio      MB  ratio    files')
  const [before] = results.values()
  for (const [commit, measured] of results) {
    const figures = ['seconds', 'megabytes'].map((key) => {
      const value = median(measured.map((one) => one[key]))
      return `${value.toFixed(key === 'seconds' ? 1 : 0).padStart(7)}  ${(value / median(before.map((one) => one[key]))).toFixed(2)}`
    })
    console.log(`${commit.padEnd(10)} ${figures.join('  ')}  ${String(measured[0].files).padStart(7)}`)
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}

/** Starts the commit in a new clone, with an empty cache and a new data folder. */
async function measure(commit) {
  const own = mkdtempSync(join(home, 'round-'))
  const clone = join(own, 'clone')
  execFileSync('git', ['clone', '--quiet', '--no-checkout', root, clone])
  execFileSync(
    'git',
    ['checkout', '--quiet', execFileSync('git', ['rev-parse', commit], { cwd: root }).toString().trim()],
    {
      cwd: clone,
    },
  )
  const port = await findFreePort()
  const env = {
    ...process.env,
    PORT: port,
    TRIBUTARY_DATA_DIR: join(own, 'data'),
    npm_config_cache: join(own, 'cache'),
  }
  mkdirSync(env.npm_config_cache)
  const started = performance.now()
  const child = spawn('npm', ['start'], { cwd: clone, env, stdio: 'ignore' })
  while (!(await answers(`http://127.0.0.1:${port}/readyz`)) || !(await answers(`http://127.0.0.1:${port}/`))) {
    if (child.exitCode !== null) throw new Error(`npm start at ${commit} ended with exit code ${child.exitCode}.`)
    await sleep(50)
  }
  const seconds = (performance.now() - started) / 1000
  const size = sizeOf(join(clone, 'node_modules'))
  child.kill('SIGTERM')
  await once(child, 'exit')
  console.log(`${commit}: ${seconds.toFixed(1)} s, ${size.megabytes.toFixed(0)} MB on disk`)
  return { seconds, ...size }
}

/** Counts allocated blocks like `du`, because small files use more than their bytes. */
function sizeOf(folder) {
  const stats = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => statSync(join(entry.parentPath, entry.name)))
  const files = stats.filter((stat) => stat.isFile()).length
  return { files, megabytes: stats.reduce((sum, { blocks }) => sum + blocks * 512, 0) / 2 ** 20 }
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return String(port)
}

function answers(address) {
  return fetch(address).then(
    (response) => response.ok,
    () => false,
  )
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
