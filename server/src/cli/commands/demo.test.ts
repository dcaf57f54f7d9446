/** One trial serves all cases: the demo itself, commands while it runs, and commands after it has stopped. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { findFreePort } from '@tributary/testing/databases/free-port.ts'
import type { DoctorFinding } from '../doctor/finding.ts'
import { spawnCommand } from '@tributary/testing/server/cli/spawn-command.ts'

test('demo runs a trial in a temporary folder; commands work during and after it, and leave no database running', async () => {
  const port = await findFreePort()
  const demo = spawnCommand(['demo', '--port', String(port), '--keep'], {})
  const home = await untilPrinted(demo, /The data is in (\S+)\. Stop/u)
  const env = { TRIBUTARY_DATA_DIR: home, PORT: String(port) }
  const run = (...words: readonly string[]) => spawnCommand(words, env).ended
  try {
    const [people, examined] = await Promise.all([run('user', 'list', '--json'), run('doctor', '--json')])
    expect(people.json<readonly unknown[]>()).not.toHaveLength(0)
    const { findings } = examined.json<{ findings: readonly DoctorFinding[] }>()
    expect(findings.filter(({ state }) => state === 'fail')).toEqual([])
    expect(findings).toContainEqual(
      expect.objectContaining({ found: `This installation answers at http://localhost:${port}` }),
    )
    expect((await fetch(`http://localhost:${port}/readyz`)).status).toBe(200)
  } finally {
    demo.process.kill('SIGTERM')
  }
  const ended = await demo.ended
  expect(ended.code).toBe(0)
  expect(ended.stdout).toContain(`The data is in ${home}.`)

  // Two at once: the one that starts the database waits for the other before it stops it.
  const both = await Promise.all([run('organisation', 'list'), run('status')])
  expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ])
  expect(existsSync(join(home, 'postgres', 'postmaster.pid'))).toBe(false)
  rmSync(home, { recursive: true })
})

test('demo refuses an invalid port', async () => {
  const demo = spawnCommand(['demo', '--port', '70000'], {})
  expect(await demo.ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('A port is a whole number') as string,
  })
})

async function untilPrinted(
  { printed, process: child }: ReturnType<typeof spawnCommand>,
  wanted: RegExp,
): Promise<string> {
  for (;;) {
    const found = wanted.exec(printed())?.[1]
    if (found !== undefined) return found
    if (child.exitCode !== null) throw new Error(printed())
    await sleep(25)
  }
}
