/**
 * Measures the heap of a process after a garbage collection. Without one, V8 lets the heap grow while the machine has
 * memory, so its size would not show a leak.
 */
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Returns megabytes.
 * @param port the `--inspect-port` of the process
 */
export async function collectedHeap(processId: number, port: number): Promise<number> {
  process.kill(processId, 'SIGUSR1')
  const socket = new WebSocket(await addressOf(port))
  await once(socket, 'open')
  try {
    let lastId = 0
    const ask = async (method: string, params = {}): Promise<unknown> => {
      lastId += 1
      socket.send(JSON.stringify({ id: lastId, method, params }))
      for (;;) {
        const [{ data }] = (await once(socket, 'message')) as [{ readonly data: string }]
        const { id, result } = JSON.parse(data) as { id?: number; result?: unknown }
        if (id === lastId) return result
      }
    }
    await ask('HeapProfiler.collectGarbage')
    const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())'
    const { result } = (await ask('Runtime.evaluate', { expression })) as { result: { value: number } }
    return result.value / 1_048_576
  } finally {
    socket.close()
  }
}

async function addressOf(port: number): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
        webSocketDebuggerUrl: string
      }[]
      if (target !== undefined) return target.webSocketDebuggerUrl
    } catch (error) {
      if (attempt === 50) throw error
    }
    await wait(100)
  }
}
