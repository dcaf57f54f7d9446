/**
 * What one call without an account can cost the server: the longest time that hostile bodies block its event loop, of
 * the 20 ms allowed. Run: node testing/bench/server/visitor-calls.ts [rounds]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ports } from './server-process.ts'
import { median } from '../measure.ts'

const rounds = Number(process.argv[2] ?? 7)
const allowedMs = 20
const mib = 1_048_576
const limit = 32_768
const keys = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at])))
const fill = (start: string, part: string, end: string) =>
  start + part.repeat(Math.floor((limit - start.length - end.length) / part.length)) + end
const bodies: readonly (readonly [string, string])[] = [
  ['nothing', '{}'],
  ['a million brackets', '['.repeat(mib / 2) + ']'.repeat(mib / 2)],
  ['brackets up to the limit', fill('', '[', '')],
  ['32 lists within each other, full', `${'['.repeat(31)}${fill('[', '1,', '1]').slice(0, limit - 100)}`],
  ['unknown keys up to the limit', keys(2_900)],
  ['unknown keys, a megabyte', keys(70_000)],
  ['one text up to the limit', fill('"', 'x', '"')],
  ['escapes up to the limit', fill('{"emailAddress":"', String.raw`\u0061`, '"}')],
  ['empty lists up to the limit', fill('{"emailAddress":[', '[],', '[]]}')],
  ['a number of 32,000 digits', fill('{"password":', '9', '}')],
]
const paths = ['/api/auth/signin', '/api/users', '/api/registration/verify', '/api/nothing']

const home = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
const server = fork(join(import.meta.dirname, 'server-process.ts'), [home, 'warn'], {
  execArgv: [...process.execArgv, '--import', join(import.meta.dirname, 'loop-monitor.ts')],
  stdio: ['ignore', openSync('/dev/null', 'w'), 'inherit', 'ipc'],
})
const [{ api }] = (await once(server, 'message')) as [Ports]
const agent = new Agent({ keepAlive: true })

async function longestMs(): Promise<number> {
  server.send('longest')
  const [{ longestMs: held }] = (await once(server, 'message')) as [{ longestMs: number }]
  return held
}

function send(path: string, body: string): Promise<void> {
  return new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      host: `localhost:${api.port}`,
    }
    const call = request({ agent, port: api.port, host: '127.0.0.1', method: 'POST', path, headers }, (reply) =>
      reply.resume().once('end', resolve),
    )
    // The server refuses a body that is too large while it is being sent.
    call.once('error', () => resolve())
    call.end(body)
  })
}

for (const path of paths) for (const [, body] of bodies) await send(path, body)
await sleep(2_000)
for (const [name, body] of bodies) {
  const held: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const path of paths) {
      await longestMs()
      await send(path, body)
      held.push(await longestMs())
    }
  }
  const most = Math.max(...held)
  process.stdout.write(
    `${name}: blocked for ${median(held).toFixed(1)} ms (median), ${most.toFixed(1)} ms (maximum): ${(most / allowedMs).toFixed(2)} of the limit\n`,
  )
}
server.send('stop')
await once(server, 'exit')
rmSync(home, { recursive: true, force: true })
