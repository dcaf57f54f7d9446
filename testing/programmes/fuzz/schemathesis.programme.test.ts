/** Schemathesis, an independent judge: calls made up from the published description, every check, as two of the roles. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { insertThings, type Things } from '../../server/app/every-route.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { trialPassword } from '../../../server/src/trial/people.ts'
import { isFull, seed } from '../extent.ts'

/** Of each call, beside some forty at the bounds of what its schema allows. */
const examples = isFull ? 50 : 10
/** Where `npm run programme -- schemathesis` has installed it. */
const program = process.env['TRIBUTARY_SCHEMATHESIS'] ?? 'schemathesis'

test.each(['superadmin', 'user'] as const)(
  `[API-1] as %s, every check passes (seed ${seed})`,
  async (speaker) => {
    await using app = await testApp()
    const things = await insertThings(app, app.harbour, app.idOf('user'))
    await insertThings(app, app.summit, app.idOf('otherAdmin'))
    await app.http.listen({ host: '127.0.0.1', port: 0 })
    const judged = new AbortController()
    const tidying = tidyUntil(app, judged.signal)
    const code = await judge(app, `${speaker}@demo.example`, things).finally(() => judged.abort())
    await tidying
    expect(code).toBe(0)
  },
  10_800_000,
)

async function judge(app: TestApp, emailAddress: string, things: Things): Promise<number | null> {
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

/** Things that there are, by the names under which paths and queries ask for them: else nearly every call would end with 404. */
function parameters(app: TestApp, things: Things): string {
  const named = { ...things, orgId: app.harbour.id, type: 'postgres' }
  return `[parameters]\n${Object.entries(named)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join('\n')}\n`
}

/** Sets back what would turn everybody away, and lets limits of attempts pass: those calls have been judged, and others are to be. */
async function tidyUntil({ store, clock }: TestApp, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await store.across(async (db) => {
      await db.deleteFrom('setting').execute()
      await db.deleteFrom('throttle').execute()
      await db.updateTable('organisation').set({ archivedAt: null, requiresMfa: false }).execute()
    })
    // What is believed of settings and sessions lasts for five seconds.
    clock.advance(5_001)
    await setTimeout(1_000)
  }
}
