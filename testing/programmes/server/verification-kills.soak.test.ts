/**
 * Kills worker, server or database in the middle of a verification or a repair: three seeded kills as a slice, thirty with `npm run soak`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '@tributary/sims/random'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { base, Chaos, type KilledProcess, type ReplyBody } from '../../server/processes/chaos.ts'
import { isFull, seed } from '../extent.ts'

const points = isFull ? 30 : 3
const rows = isFull ? 400_000 : 30_000
const victims: readonly KilledProcess[] = ['worker', 'postgres', 'server']

const home = mkdtempSync(join(tmpdir(), 'tributary-verification-kills-'))
let chaos: Chaos
let connectorId = ''

beforeAll(async () => {
  chaos = await Chaos.start(home, rows)
  connectorId = await chaos.addConnector('Proven')
  const runId = String(
    (await chaos.call('POST', `${base}/connectors/${connectorId}/process`, { fullTransactionSync: true }))['RunId'],
  )
  await chaos.waitForRunEnd(runId, 120_000, connectorId)
}, 300_000)
afterAll(async () => {
  await chaos.stop()
  rmSync(home, { recursive: true, force: true })
})

const random = createRandom(seed)
const plan = Array.from({ length: points }, (_, index) => ({
  victim: victims[index % victims.length] ?? 'worker',
  afterMs: random.between(20, isFull ? 2_000 : 600),
  changed: random.between(1, rows / 4),
  deleted: random.between(rows / 4 + 1, rows / 2),
  added: rows + 1 + index,
}))

test.each(plan)(
  `[TRUST-2] [TRUST-3] killing the $victim $afterMs ms into a verification hides no row that differs and invents none, nor does it in a repair (seed ${seed})`,
  async ({ victim, afterMs, changed, deleted, added }) => {
    const table = 'proven_copy.chaos_wide'
    await chaos.queryWarehouse(
      `UPDATE ${table} SET amount = amount + 0.0001 WHERE id = ${changed};
       DELETE FROM ${table} WHERE id = ${deleted};
       INSERT INTO ${table} (id, name) VALUES (${added}, 'nothing of this at the source')`,
    )

    await verify({ repair: false }, () => killAfter(victim, afterMs))
    const found = await differences()
    expect(found.map(({ Kind, Key }) => `${String(Kind)} ${(Key as { id: string }).id}`).toSorted()).toEqual([
      `additional ${added}`,
      `different ${changed}`,
      `missing ${deleted}`,
    ])

    await verify({ repair: true }, () => killAfter(victim, afterMs))
    await verify({ repair: false })
    expect(await differences()).toEqual([])
    const { source, target } = await chaos.compare('proven_copy')
    expect(target).toEqual(source)
  },
  300_000,
)

async function verify(mode: { repair: boolean }, meanwhile?: () => Promise<void>): Promise<void> {
  const { RunId } = await chaos.call('POST', `${base}/connectors/${connectorId}/verification`, mode)
  await meanwhile?.()
  expect(await chaos.waitForRunEnd(String(RunId), 120_000, connectorId)).toMatchObject({ Status: 'COMPLETED' })
}

async function killAfter(victim: KilledProcess, afterMs: number): Promise<void> {
  await sleep(afterMs)
  await chaos.kill(victim)
}

async function differences(): Promise<readonly ReplyBody[]> {
  const listed: unknown = await chaos.call('GET', `${base}/connectors/${connectorId}/verification/differences`)
  return listed as ReplyBody[]
}
