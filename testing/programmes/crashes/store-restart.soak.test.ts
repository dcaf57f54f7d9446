/** PostgreSQL stops immediately while a server and a worker are busy. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '@tributary/sims/random'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { base, Chaos } from '../../server/processes/chaos.ts'
import { changeSql } from '../../server/processes/chaos-sql.ts'
import { isFull, seed, printFigure } from '../extent.ts'

const rounds = isFull ? 20 : 2
const callers = 5
const home = mkdtempSync(join(tmpdir(), 'tributary-programme-'))
const random = createRandom(seed)
let chaos: Chaos
let passed = 0
const answers = { 200: 0, 503: 0 }

beforeAll(async () => {
  chaos = await Chaos.start(home, isFull ? 100_000 : 20_000)
})
afterAll(async () => {
  await chaos.stop()
  rmSync(home, { recursive: true, force: true })
  const calls = `${answers[200]} calls answered, ${answers[503]} asked to try again, no other answer`
  printFigure(
    `${passed} of ${rounds} immediate stops of PostgreSQL during runs and calls passed: nothing lost or duplicated; ${calls}`,
  )
})

test.each(Array.from({ length: rounds }, (_, at) => at + 1))(
  `the database of store and target stops immediately (round %i, seed ${seed}): calls are answered or asked to try again, the run completes, no process exits`,
  async (round) => {
    const before = [chaos.serverProcessId, chaos.workerProcessId]
    await chaos.query('shop', changeSql(random.next))
    const runId = await chaos.startRun(round % 2 === 0)
    const over = new AbortController()
    onTestFinished(() => over.abort())
    const calling = Promise.all(Array.from({ length: callers }, () => callUntil(over.signal)))
    await wait(random.between(20, isFull ? 1_500 : 400))
    chaos.stopDatabaseAtOnce()
    expect(await chaos.waitForRunEnd(runId, 60_000)).toMatchObject({ Status: 'COMPLETED' })
    over.abort()
    const odd = (await calling).flat()
    expect(odd).toEqual([])
    for (const processId of before) expect(process.kill(processId, 0)).toBe(true)
    const { source, target } = await chaos.compare()
    expect(target).toEqual(source)
    passed += 1
  },
  180_000,
)

/** Returns the responses that were neither a reply nor a refusal with instructions. */
async function callUntil(signal: AbortSignal): Promise<readonly string[]> {
  const odd: string[] = []
  while (!signal.aborted) {
    const reply = await chaos
      .callOnce('GET', `${base}/connectors`)
      .catch((error: unknown) => new Response(String(error), { status: 599 }))
    const text = await reply.text()
    if (reply.status === 200) answers[200] += 1
    else if (reply.status === 503 && text.includes('try again') && reply.headers.get('retry-after') !== null)
      answers[503] += 1
    else odd.push(`${reply.status} ${text.slice(0, 200)}`)
    await wait(20)
  }
  return odd
}
