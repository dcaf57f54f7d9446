/** Settings of the process: mode and role, address and port, shutdown and logging. */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isSchedule, scheduleFormat } from '../cron-schedule.ts'
import { choice, list, optionalText, optionalWholeNumber, wholeNumber, text } from './setting.ts'

export const processSettings = {
  mode: choice('TRIBUTARY_MODE', ['trial', 'production'], {
    initial: 'trial',
    meaning: 'A `trial` with sample data, reachable only from this machine, or `production`.',
  }),
  role: choice('TRIBUTARY_ROLE', ['all', 'web', 'worker'], {
    initial: 'all',
    meaning:
      'What this process does: answer calls (`web`), move rows and send mail (`worker`), or `all`. Run any number of each, on any machines that reach the database.',
  }),
  /** The address to listen on. */
  host: text('TRIBUTARY_HOST', {
    initial: { trial: '127.0.0.1', production: '0.0.0.0' },
    meaning:
      'The address to listen on. A trial accepts loopback addresses only. In production, the proxy in front terminates TLS.',
  }),
  port: wholeNumber('PORT', { initial: '3000', min: 0, max: 65_535, meaning: 'The port of the portal and the API.' }),
  /** The embedded database and, in trial mode, the master key. */
  dataDir: {
    ...text('TRIBUTARY_DATA_DIR', {
      initial: 'data',
      meaning: 'The folder of a trial: its database, its master key, and the log of the database.',
    }),
    parse: (given = '') => resolve(given),
  },
  /** Proxies whose X-Forwarded-For is trusted, as addresses or CIDR blocks. */
  trustedProxies: list('TRIBUTARY_TRUSTED_PROXIES', {
    example: '10.0.0.0/8',
    meaning: 'Addresses or networks of the proxies in front, separated by commas. Their `X-Forwarded-For` is trusted.',
    wrong: (proxy) =>
      isAddressOrBlock(proxy)
        ? null
        : `TRIBUTARY_TRUSTED_PROXIES: '${proxy}' is neither an address nor a block such as 10.0.0.0/8.`,
  }),
  /** Addresses or CIDR blocks at which this installation answers, as people see them. */
  publicRanges: list('TRIBUTARY_PUBLIC_RANGES', {
    example: '203.0.113.0/28',
    meaning:
      'Public addresses or networks at which this installation and its warehouse answer, separated by commas. **Data**, **Connect** shows them to people who must allow them in a firewall.',
    wrong: (range) =>
      isAddressOrBlock(range) ? null : `TRIBUTARY_PUBLIC_RANGES names ${range}, which is no address or network.`,
  }),
  /** For a new connector whose request has no schedule. */
  defaultSchedule: {
    ...text('TRIBUTARY_DEFAULT_SCHEDULE', {
      initial: '0 6 * * *',
      example: '30 5 * * 1-5',
      meaning:
        'The schedule of a new connector whose request names none: five-field cron, in the time zone of its organisation. Existing connectors keep their schedules.',
    }),
    parse(given = '', problems: string[]) {
      const cron = given.trim()
      if (!isSchedule(cron))
        problems.push(`TRIBUTARY_DEFAULT_SCHEDULE: '${cron}' is not a schedule: it ${scheduleFormat}.`)
      return cron
    },
  },
  /** Grace period for work in progress after the process receives a stop signal. */
  stopSeconds: wholeNumber('TRIBUTARY_STOP_SECONDS', {
    // A trial is stopped at its console, where a person waits about ten seconds.
    initial: { trial: '10', production: '25' },
    min: 2,
    max: 300,
    meaning:
      'Grace period after the stop signal; then the process ends. In production a second signal, a second or more after the first, ends it immediately. Give Docker, Kubernetes or systemd a few seconds more than this.',
  }),
  /** The memory for all runs of a worker together, in MB. */
  runMemoryMb: optionalWholeNumber('TRIBUTARY_RUN_MEMORY_MB', {
    min: 64,
    max: 1_000_000,
    example: '1536',
    defaultText: 'three quarters of the memory of the container or machine, after 256 MB; at most 3072',
    meaning:
      'Memory in MB that the runs of a worker may need together. A worker claims runs that fit, by what they needed before; a larger run runs alone.',
  }),
  // A trial logs for a person at the console, production for a log collector.
  logLevel: choice('TRIBUTARY_LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], {
    initial: { trial: 'warn', production: 'info' },
    meaning: 'The lowest level that is logged.',
  }),
  logForm: choice('TRIBUTARY_LOG_FORM', ['json', 'text'], {
    initial: { trial: 'text', production: 'json' },
    meaning: 'One JSON object per line for a log collector, or lines for people.',
  }),
}

/** The public URL of the portal; by default this machine. */
export const publicUrlSetting = optionalText('TRIBUTARY_PUBLIC_URL', {
  isRequired: true,
  example: 'https://tributary.example.com',
  defaultText: 'http://localhost:PORT in a trial',
  meaning: 'The https address that people open. Links in mails use it, never the address of a request.',
})

function isAddressOrBlock(entry: string): boolean {
  const [address = '', bits] = entry.split('/')
  const version = isIP(address)
  return version !== 0 && (bits === undefined || (/^\d+$/u.test(bits) && Number(bits) <= (version === 6 ? 128 : 32)))
}
