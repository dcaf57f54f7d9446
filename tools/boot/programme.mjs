/** The programmes that run apart from `npm test`, each an entry here: `npm run programme -- NAME`. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installDebianPackages } from './verify.mjs'
import { installAllPackages } from './packages.mjs'
import { buildPages } from './pages.mjs'
import { bin, environment, node, root, run, userError } from './process.mjs'
import { runTests } from './test-runs.mjs'

const programmes = {
  slices: {
    what: 'kills, soaks, fuzzing, installation and accessibility sweeps, in the extent that .ci/run takes',
    run: () => slices(),
  },
  soak: { what: 'the soaks in full: the figures of docs/reliability.md', run: soakInFull },
  schemathesis: { what: 'calls made up by Schemathesis (from PyPI), with all its checks', run: schemathesis },
  sqlserver: { what: 'source and target on the SQL Server that TRIBUTARY_TEST_SQLSERVER names', run: sqlServer },
  'sqlserver-speed': {
    what: 'how fast source and target are there, against freebcp and a plain bulk load',
    run: sqlServerSpeed,
  },
}

export async function programme(name) {
  if (name === undefined) {
    for (const [each, { what }] of Object.entries(programmes)) console.log(`${each}: ${what}`)
    return 0
  }
  if (programmes[name] === undefined)
    throw userError(`There is no programme ${name}; there are ${Object.keys(programmes).join(', ')}.`)
  await installAllPackages()
  await installDebianPackages()
  return programmes[name].run()
}

async function slices() {
  const started = Date.now()
  await buildPages()
  return runTests({ unit: ['--project', 'slices'], browser: ['--project', 'sweeps'], started })
}

async function soakInFull() {
  await buildPages()
  return run(bin('vitest'), ['run', '--project', 'slices', 'soak'], { env: environment({ TRIBUTARY_SOAK: 'full' }) })
}

/** Pinned, so that the same seed makes the same calls. */
const schemathesisVersion = '4.32.5'

async function schemathesis() {
  const program = await installSchemathesis()
  const env = environment({ TRIBUTARY_PROGRAMME: 'schemathesis', TRIBUTARY_SCHEMATHESIS: program })
  return run(bin('vitest'), ['run', '--reporter=verbose', 'schemathesis'], { env })
}

/** Into a virtual environment that goes with the installed packages. Answers the path of the program. */
async function installSchemathesis() {
  const folder = join(root, 'node_modules', '.cache', `schemathesis-${schemathesisVersion}`)
  const program = join(folder, 'bin', 'schemathesis')
  if (existsSync(program)) return program
  console.log(`Installing Schemathesis ${schemathesisVersion} (once)…`)
  const made = await run('python3', ['-m', 'venv', '--clear', folder]).catch(() => 1)
  if (made !== 0)
    throw userError(
      'Schemathesis needs Python 3.10 or newer with its module venv. On Debian: sudo apt-get install -y python3-venv',
    )
  const installed = await run(join(folder, 'bin', 'pip'), [
    'install',
    '--quiet',
    `schemathesis==${schemathesisVersion}`,
  ])
  if (installed !== 0)
    throw userError('Schemathesis could not be installed; what pip said is above. Check the network, then try again.')
  return program
}

function sqlServerSpeed() {
  return run(node(), ['--disable-warning=ExperimentalWarning', join(root, 'testing/bench/databases/sqlserver.ts')])
}

function sqlServer() {
  const { TRIBUTARY_TEST_SQLSERVER: address, TRIBUTARY_TEST_SQLSERVER_LACKS: lacks } = process.env
  if (!address) {
    throw userError(
      `Say which server: TRIBUTARY_TEST_SQLSERVER='Data Source=127.0.0.1,1433;User Id=sa;Password=…;Encrypt=true;TrustServerCertificate=true'. ` +
        `What it lacks is named in TRIBUTARY_TEST_SQLSERVER_LACKS, as in alterView,changeTracking, and runs against the stub.`,
    )
  }
  console.log(
    lacks ? `This server lacks ${lacks}: what needs that runs against the stub.` : 'This server lacks nothing.',
  )
  return run(bin('vitest'), ['run', '--reporter=verbose', 'sqlserver'], {
    env: environment({ TRIBUTARY_PROGRAMME: 'sqlserver' }),
  })
}
