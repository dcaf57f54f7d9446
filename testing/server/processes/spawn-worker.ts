/** Starts workers as processes of their own, beside a test's server. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { WorkerPlace } from './worker-process.ts'

export interface SpawnedWorker extends AsyncDisposable {
  readonly processId: number
  /** As a power cut would end it, or, with SIGTERM, as an operator. Answers when it is gone. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

/** Answers when it takes runs. */
export async function spawnWorker(place: WorkerPlace): Promise<SpawnedWorker> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'worker-process.ts'), JSON.stringify(place)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await Promise.race([once(child.stdout, 'data'), gone(child)])
  const kill = async (signal: 'SIGKILL' | 'SIGTERM') => {
    const ended = once(child, 'exit')
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await ended
  }
  return { processId: child.pid ?? 0, kill, [Symbol.asyncDispose]: () => kill('SIGKILL') }
}

async function gone(child: ChildProcess): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null]
  throw new Error(`The worker ended with ${code} before it was ready.`)
}
