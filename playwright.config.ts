/** Journeys through a real browser against the product as `npm start` runs it, with a separate data folder. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { findFreePort } from './testing/databases/free-port.ts'

// The workers read this file again; what the first reading chose holds for them, too.
process.env['TRIBUTARY_E2E_HOME'] ??= mkdtempSync(join(tmpdir(), 'tributary-e2e-'))
process.env['TRIBUTARY_E2E_PORT'] ??= String(await findFreePort())
process.env['TRIBUTARY_E2E_ISSUER_PORT'] ??= String(await findFreePort())
// Where a journey listens for the messages of a webhook.
process.env['TRIBUTARY_E2E_HOOK_PORT'] ??= String(await findFreePort())
process.env['TRIBUTARY_E2E_SLACK_PORT'] ??= String(await findFreePort())
process.env['TRIBUTARY_E2E_POWERBI_PORT'] ??= String(await findFreePort())
process.env['TRIBUTARY_E2E_SILENT_PORT'] ??= String(await findFreePort())
// Where a journey starts sources that a customer describes.
process.env['TRIBUTARY_E2E_REST_PORT'] ??= String(await findFreePort())
process.env['TRIBUTARY_E2E_ODATA_PORT'] ??= String(await findFreePort())
// Where a journey starts the source that the provider describes in the workbench.
process.env['TRIBUTARY_E2E_ORCHARD_PORT'] ??= String(await findFreePort())
const home = process.env['TRIBUTARY_E2E_HOME']
const port = process.env['TRIBUTARY_E2E_PORT']
const baseURL = `http://localhost:${port}`
const issuerPort = process.env['TRIBUTARY_E2E_ISSUER_PORT']
const issuer = `http://127.0.0.1:${issuerPort}`
// Where a journey starts a simulated Power BI.
const powerBi = `http://127.0.0.1:${process.env['TRIBUTARY_E2E_POWERBI_PORT']}`
const node = `exec "${process.execPath}" --disable-warning=ExperimentalWarning`

/**
 * What rests on more of the browser than the page: its passkeys, its printing, its history and storage. The other
 * screens are driven in the same Chromium without the windows around a page, which halves their time.
 */
const ofTheBrowser = ['browser-safety', 'companies', 'journey', 'profile', 'tie-out', 'verification']
/** Long journeys with simulated sources, loads, proofs and servers, which run with the slices. */
const ofSlices = [
  'accounting',
  'authorise',
  'business-central',
  'companies',
  'customer-sources',
  'data-servers',
  'exact-online',
  'loads',
  'own-databases',
  'proofs',
  'quickbooks',
  'stripe',
  'verification',
  'workbench',
]
/** Every screen, wide and narrow, light and dark. These run with the slices, too. */
const everyScreen =
  /no accessibility violation|nothing overflows|opens its screen|opens for a visitor|redirects a visitor|is shown as refused/u
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The files of the journeys with these names. */
function journeys(names: readonly string[]): RegExp {
  return new RegExp(String.raw`/(?:${names.join('|')})\.spec\.ts$`, 'u')
}

const wholeBrowser = { launchOptions: { executablePath: '/usr/bin/chromium', args } }
const pagesOnly = { launchOptions: { executablePath: '/usr/bin/chromium-headless-shell', args } }

export default defineConfig({
  testDir: 'testing/journeys',
  globalTeardown: './testing/journeys/server-log-setup.ts',
  testMatch: '**/*.spec.ts',
  // More than two cores, because the tests also wait, for half of their time: for polls, mail, sources that are limited,
  // and the time that a message stays.
  workers: 5,
  // None of these is a promise of speed: a busy machine may take its time.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  outputDir: join(home, 'results'),
  use: {
    baseURL,
    viewport: { width: 1280, height: 900 },
    // As the organisations of the trial, whose formats and clock the tests expect.
    locale: 'en-GB',
    timezoneId: 'Europe/London',
  },
  projects: [
    {
      name: 'browser',
      testMatch: journeys(ofTheBrowser.filter((name) => !ofSlices.includes(name))),
      grepInvert: everyScreen,
      use: wholeBrowser,
    },
    {
      name: 'screens',
      testIgnore: journeys([...ofTheBrowser, ...ofSlices]),
      grepInvert: everyScreen,
      use: pagesOnly,
    },
    {
      name: 'browser of slices',
      testMatch: journeys(ofTheBrowser.filter((name) => ofSlices.includes(name))),
      grepInvert: everyScreen,
      use: wholeBrowser,
    },
    {
      name: 'screens of slices',
      testMatch: journeys(ofSlices.filter((name) => !ofTheBrowser.includes(name))),
      grepInvert: everyScreen,
      use: pagesOnly,
    },
    { name: 'every screen', grep: everyScreen, use: pagesOnly },
  ],
  webServer: [
    {
      command: `${node} server/src/main.ts > "${home}/server.log" 2>&1`,
      env: {
        PORT: port,
        TRIBUTARY_DATA_DIR: join(home, 'data'),
        TRIBUTARY_LOG_FORM: 'json',
        TRIBUTARY_LOG_LEVEL: 'info',
        TRIBUTARY_ALLOW_HOSTS: ['HOOK', 'ODATA', 'ORCHARD', 'POWERBI', 'REST', 'SILENT', 'SLACK']
          .map((name) => `127.0.0.1:${process.env[`TRIBUTARY_E2E_${name}_PORT`]}`)
          .join(),
        TRIBUTARY_POWERBI_TOKEN_URL: powerBi,
        TRIBUTARY_POWERBI_API_URL: powerBi,
        TRIBUTARY_DBT_API_URL: powerBi,
        TRIBUTARY_OIDC_ACME_ISSUER: issuer,
        TRIBUTARY_OIDC_ACME_CLIENT_ID: 'tributary-test',
        TRIBUTARY_OIDC_ACME_CLIENT_SECRET: 'canary-client-secret-0123456789',
        TRIBUTARY_OIDC_ACME_DISPLAY_NAME: 'Acme ID',
      },
      url: `${baseURL}/readyz`,
      timeout: 120_000,
      gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    },
    {
      command: `${node} testing/journeys/oidc-issuer.ts > "${home}/issuer.log" 2>&1`,
      env: { TRIBUTARY_E2E_ISSUER_PORT: issuerPort, TRIBUTARY_E2E_URL: baseURL },
      url: `${issuer}/.well-known/openid-configuration`,
    },
  ],
})
