import { commonPasswordsModule } from './web/plugins/common-passwords.ts'
import { guidesModule } from './web/plugins/guides.ts'
import { configDefaults, defineConfig, type TestProjectConfiguration } from 'vitest/config'

const databases = { globalSetup: ['testing/databases/global-setup.ts'], testTimeout: 180_000, hookTimeout: 180_000 }

/** Tests of a programme run only there, where they have what they need. */
const programmes = ['**/*.programme.test.ts']
const programme = process.env['TRIBUTARY_PROGRAMME']
const excluded = [...configDefaults.exclude, ...(programme === undefined ? programmes : [])]

/**
 * What `npm run programme -- slices` runs after `npm test`: kills, soaks, fuzzing, every source with its simulator and into
 * every target, sign-ins at sources, runs, loads, publications, servers of warehouses, verification, every route as every role,
 * backups, commands and keys, installation.
 */
const slices = [
  'engine/src/apis/{catalogue,cin7,uniconta,xero}/**/*.test.ts',
  'engine/src/apis/workbench/prove/**/*.test.ts',
  'engine/src/apis/described/**/{hostile,sample}.test.ts',
  'engine/src/{closed-periods,companies,verify}/**/*.test.ts',
  'engine/src/databases/iceberg/target/kills.test.ts',
  'engine/src/sync/report-marks.test.ts',
  'server/src/features/{accounting,authorisations,data-servers,history,loads,publications,report-marks,runs,table-sync}/**/*.test.ts',
  'server/src/features/warehouse/{as-target,from-every-source,from-xero}.test.ts',
  'server/src/features/profile/re-authentication.test.ts',
  'server/src/access/logins/row-rights.test.ts',
  'server/src/{main,trial/trial}.test.ts',
  'testing/programmes/**/*.test.ts',
  'testing/deploy/{compose,host,image,release,start,supply-chain}.test.ts',
  'server/src/tests/**/*.test.ts',
  'server/src/cli/commands/**/*.test.ts',
  'server/src/security/{backup,keys}/**/*.test.ts',
]

const usual: TestProjectConfiguration[] = [
  {
    extends: true,
    test: {
      name: 'server',
      include: [
        'contract/src/**/*.test.ts',
        'engine/src/**/*.test.ts',
        'server/src/**/*.test.ts',
        'sims/src/**/*.test.ts',
        'testing/**/*.test.ts',
      ],
      exclude: [...excluded, ...slices],
      ...databases,
    },
  },
  { extends: true, test: { name: 'slices', include: slices, ...databases } },
  { extends: true, test: { name: 'tools', include: ['tools/**/*.test.ts'], testTimeout: 60_000 } },
  { extends: true, test: { name: 'client', include: ['client/src/**/*.test.ts'] } },
  {
    extends: true,
    test: { name: 'addin', include: ['addin/src/**/*.test.{ts,tsx}'], environment: 'happy-dom', testTimeout: 20_000 },
  },
  {
    extends: true,
    plugins: [commonPasswordsModule(), guidesModule()],
    test: {
      name: 'web',
      include: ['web/src/**/*.test.{ts,tsx}'],
      environment: 'happy-dom',
      // A browser of the organisation of the tests.
      env: { TZ: 'Europe/London' },
      setupFiles: ['testing/web/british-browser.ts'],
      testTimeout: 20_000,
    },
  },
]

export default defineConfig({
  test: {
    isolate: false,
    pool: 'forks',
    // More than two cores, because the tests also wait: for polls, timeouts and other processes.
    maxWorkers: 4,
    // A title names its call in whole, however long: by default values end after 40 characters.
    taskTitleValueFormatTruncate: 0,
    exclude: excluded,
    projects:
      programme === undefined
        ? usual
        : [{ extends: true, test: { name: programme, include: programmes, isolate: true, ...databases } }],
  },
})
