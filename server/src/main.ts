/** Starts and stops. The only file that touches the process. */
import { takeConfig, type Config } from './config.ts'
import { parseDatabaseUrl } from './platform/database-url.ts'
import { findStoreProblems } from './platform/production-store.ts'
import { makeSetupCode } from './platform/setup-code.ts'
import { StartRefused } from './platform/start-refused.ts'
import { startServer, type Running } from './start.ts'
import { trialPassword, trialPeople } from './trial/people.ts'

/** Whoever stops us waits ten seconds before they pull the plug. */
const stopMs = 9_500

try {
  const config = await requireConfig()
  const starting = startServer(config)
  stopWhenAsked(starting)
  await greet(config, await starting)
} catch (error) {
  if (!(error instanceof StartRefused)) throw error
  console.error(error.message)
  process.exitCode = 1
}

/** Tells everything that is missing or weak at once, so that nobody has to try again for each. */
async function requireConfig(): Promise<Config> {
  const { config, problems } = takeConfig()
  const ofStore =
    config.mode === 'production' && config.databaseUrl !== null && URL.canParse(config.databaseUrl)
      ? await findStoreProblems(
          parseDatabaseUrl(config.databaseUrl),
          trialPeople.map(({ emailAddress }) => emailAddress),
        )
      : []
  const all = [...problems, ...ofStore]
  if (all.length === 0) return config
  if (all.length === 1) throw new StartRefused(`Tributary does not start: ${all[0]}`)
  throw new StartRefused(`Tributary does not start:\n${all.map((problem) => `  - ${problem}`).join('\n')}`)
}

async function greet(config: Config, { parts }: Running): Promise<void> {
  console.log(`Tributary is ready: ${config.publicUrl}`)
  if (config.mode === 'trial') {
    console.log(`\nTrial mode, with demonstration data. Sign in with the password ${trialPassword} as`)
    for (const { emailAddress, role } of trialPeople) console.log(`  ${emailAddress.padEnd(28)} ${role}`)
    console.log(`\nNo mail leaves a trial. Read it at ${config.publicUrl}/mailbox`)
    console.log(`The data is in ${config.dataDir}. Stop with Ctrl-C.`)
    return
  }
  // A new code ends the former one, so only who can take it shows one.
  if (config.role === 'worker') return
  const code = await makeSetupCode(parts.store, parts.clock)
  if (code === null) return
  console.log(
    `\nThere is no superadmin yet. Open ${config.publicUrl}/setup and enter this code within an hour; it works once:\n\n  ${code}\n`,
  )
}

/** Whoever asks while we are starting waits until there is something to stop; half of it must not be left behind. */
function stopWhenAsked(starting: Promise<Running>): void {
  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(1), stopMs).unref()
    await starting.then(
      (running) => running.stop(),
      () => undefined,
    )
    // The log writes its last lines at the end of this turn.
    setImmediate(() => process.exit(0))
  }
  process.on('SIGINT', () => void stop())
  process.on('SIGTERM', () => void stop())
  // A parent that was killed cannot pass a signal on; without it nobody would ever stop us.
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) void stop()
  }, 500).unref()
}
