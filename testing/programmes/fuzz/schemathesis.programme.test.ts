/** Runs Schemathesis as an independent check: calls generated from the API description, all checks, as two roles. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { insertFixtures, type RouteFixtures } from '../../server/app/every-route.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { trialPassword } from '../../../server/src/trial/people.ts'
import { isFull, seed } from '../extent.ts'

/** Random examples per operation, in addition to about forty at the limits of its schema. */
const examples = isFull ? 50 : 10
/** Path of the program that `npm run programme -- schemathesis` installs. */
const program = process.env['TRIBUTARY_SCHEMATHESIS'] ?? 'schemathesis'

test.each(['superadmin', 'user'] as const)(
  `[API-1] as %s, every check passes (seed ${seed})`,
  async (speaker) => {
    await using app = await testApp()
    const things = await insertFixtures(app, app.harbour, app.idOf('user'))
    await insertFixtures(app, app.summit, app.idOf('otherAdmin'))
    await app.http.listen({ host: '127.0.0.1', port: 0 })
    const judged = new AbortController()
    const tidying = tidyUntil(app, judged.signal)
    const code = await runSchemathesis(app, `${speaker}@demo.example`, things).finally(() => judged.abort())
    await tidying
    expect(code).toBe(0)
  },
  10_800_000,
)

async function runSchemathesis(app: TestApp, emailAddress: string, things: RouteFixtures): Promise<number | null> {
  const { port } = app.http.server.address() as AddressInfo
  const address = `http://127.0.0.1:${port}/api`
  const folder = mkdtempSync(join(tmpdir(), 'tributary-schemathesis-'))
  const config = join(folder, 'schemathesis.toml')
  writeFileSync(
    config,
    `${parameters(app, things)}\n${readFileSync(join(import.meta.dirname, 'schemathesis.toml'), 'utf8')}`,
  )
  const args = ['--config-file', config, '--no-color', 'run', `${address}/openapi.json`]
  const options = [
    '--url',
    address,
    '--checks',
    'all',
    '--seed',
    String(seed),
    '--max-examples',
    String(examples),
    '--continue-on-failure',
  ]
  const child = spawn(program, [...args, ...options], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, TRIBUTARY_SPEAKER: emailAddress, TRIBUTARY_PASSWORD: trialPassword },
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  rmSync(folder, { recursive: true, force: true })
  return code
}

/** Ids of existing records by parameter name. Without them nearly every call would end with 404. */
function parameters(app: TestApp, things: RouteFixtures): string {
  const named = { ...things, orgId: app.harbour.id, type: 'postgres' }
  return `[parameters]\n${Object.entries(named)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join('\n')}\n`
}

/** Resets settings that lock all users out, and rate limits. Those calls have been checked, and others must succeed. */
async function tidyUntil({ store, clock }: TestApp, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await store.across(async (db) => {
      await db.deleteFrom('setting').execute()
      await db.deleteFrom('throttle').execute()
      await db.updateTable('organisation').set({ archivedAt: null, requiresMfa: false }).execute()
    })
    // The server caches settings and sessions for five seconds.
    clock.advance(5_001)
    await setTimeout(1_000)
  }
}
