/** The restore drill: backs up and restores a large store, and measures time and memory. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { dumpDatabase, queryDatabase } from '../../server/app/database-dump.ts'
import { testApp } from '../../server/app/test-app.ts'
import { templateKeys } from '../../server/app/template-keys.ts'
import { createEmptyDatabase } from '../../server/app/test-database.ts'
import type { DrillStep } from '../../server/processes/drill-process.ts'
import { makeIdentity } from '../../../server/src/security/backup/age-encryption.ts'
import { isFull } from '../extent.ts'

const lines = isFull ? 4_000_000 : 30_000
/** In addition to the memory of Node and its modules. */
const memoryMaxMb = 250

const home = mkdtempSync(join(tmpdir(), 'tributary-drill-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Runs a step in a separate process, so that its memory can be measured. */
async function runDrillStep(doing: DrillStep): Promise<{ readonly ms: number; readonly peakMb: number }> {
  const began = performance.now()
  const script = join(import.meta.dirname, '../../server/processes/drill-process.ts')
  const child = spawn(process.execPath, [script, JSON.stringify(doing)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (part: Buffer) => (output += part.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`The ${doing.kind} ended with ${code}.`)
  return { ms: Math.round(performance.now() - began), peakMb: Math.round(Number(output) / 1024) }
}

test(
  'a large store is backed up and restored completely, with memory that does not depend on the number of rows',
  async () => {
    await using app = await testApp()
    await queryDatabase(
      app.connection,
      `SET tributary.organisation = '*'; SET statement_timeout = 0;
       INSERT INTO connector (organisation_id, key, type, name, original_name) VALUES ('${app.harbour.id}', 'drill', 'postgres', 'Drill', 'Drill');
       INSERT INTO run (organisation_id, connector_id, mode, trigger, status, completed_at)
         SELECT organisation_id, id, 'full', 'person', 'COMPLETED', now() FROM connector WHERE key = 'drill';
       INSERT INTO run_line (organisation_id, run_id, level, text)
         SELECT '${app.harbour.id}', run.id, 'info', md5(n::text) || repeat(' moved so many rows', 4) || n FROM run, generate_series(1, ${lines}) AS n`,
    )
    const { identity, recipient } = await makeIdentity()
    const file = join(home, 'drill.backup')
    const masterKey = templateKeys.current.toString('base64')
    const made = await runDrillStep({ kind: 'backup', connection: app.connection, masterKey, file, recipient })
    const other = await createEmptyDatabase()
    const restored = await runDrillStep({ kind: 'restore', connection: other, masterKey, file, identity })
    expect(await dumpDatabase(other)).toEqual(await dumpDatabase(app.connection))
    for (const { peakMb } of [made, restored]) expect(peakMb).toBeLessThan(memoryMaxMb)
    const [size] = await queryDatabase<{ mb: number }>(
      app.connection,
      'SELECT (pg_database_size(current_database()) / 1e6)::int AS mb',
    )
    const megabytes = Math.round(statSync(file).size / 1e6)
    // oxlint-disable-next-line no-console -- The figure of the programme.
    console.log(
      `drill: ${lines} rows, store ${size?.mb} MB, archive ${megabytes} MB; backup ${made.ms} ms, ${made.peakMb} MB of memory; restore ${restored.ms} ms, ${restored.peakMb} MB; rows lost or changed: 0`,
    )
  },
  isFull ? 1_800_000 : 120_000,
)
